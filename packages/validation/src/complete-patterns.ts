import { parseMoment, textPatterns } from '@keyfront/protocol';
import type { TSchema } from 'typebox';
import { readCountryCode } from './countries.ts';
import { rewriteSchema } from './rewrite-schema.ts';

/** A rule that a published schema cannot state, for the values of one pattern: texts, or numbers that stand for such texts. */
type ValueRule = { readonly pattern: string } & (
  | { readonly type: 'string'; readonly validate: (text: string) => boolean }
  | { readonly type: 'number'; readonly validate: (value: number) => boolean }
);

const { amount, momentOrEmpty, countryCode, countryCodeOrEmpty } = textPatterns;

/** By the name of the format that enforces the rule. */
export const valueRules: Readonly<Record<string, ValueRule>> = {
  moment: {
    pattern: momentOrEmpty.pattern,
    type: 'string',
    validate: (text) => text === '' || parseMoment(text) !== null,
  },
  country: {
    pattern: countryCode.pattern,
    type: 'string',
    validate: (text) => readCountryCode(text) !== null,
  },
  'country-or-empty': {
    pattern: countryCodeOrEmpty.pattern,
    type: 'string',
    validate: (text) => text === '' || readCountryCode(text) !== null,
  },
  // `multipleOf` divides, and 0.29 / 0.01 is not an integer. A number that is too large or too small violates another rule.
  amount: {
    pattern: amount.pattern,
    type: 'number',
    validate: (value) => Number.isInteger(value) || /^-?\d+\.\d{1,2}$/.test(String(value)),
  },
};

const formatByPattern = new Map(Object.entries(valueRules).map(([format, { pattern }]) => [pattern, format]));

/**
 * Adds the format of its rule to every pattern that has one. Published schemas contain standard formats only, so that
 * the validators of clients know them.
 */
export function completePatterns(schema: TSchema): TSchema {
  return rewriteSchema(schema, (part) => {
    const format = formatByPattern.get(String(part.pattern));
    return format === undefined ? part : { ...part, format };
  });
}

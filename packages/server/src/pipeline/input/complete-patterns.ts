import { parseMoment, textPatterns } from '@keyfront/protocol';
import type { TSchema } from 'typebox';
import { countryCodes } from './country-codes.ts';

/** A rule that no regular expression can state, for the texts of one pattern. */
interface TextRule {
  readonly pattern: string;
  readonly accepts: (text: string) => boolean;
}

const { momentOrEmpty, countryCode, countryCodeOrEmpty } = textPatterns;

/** By the name of the format that enforces the rule. */
export const textRules: Readonly<Record<string, TextRule>> = {
  moment: {
    pattern: momentOrEmpty.pattern,
    accepts: (text) => text === '' || parseMoment(text) !== null,
  },
  country: { pattern: countryCode.pattern, accepts: (text) => countryCodes.has(text) },
  'country-or-empty': {
    pattern: countryCodeOrEmpty.pattern,
    accepts: (text) => text === '' || countryCodes.has(text),
  },
};

const formatByPattern = new Map(Object.entries(textRules).map(([format, { pattern }]) => [pattern, format]));

/**
 * Adds the format of a text rule to every pattern that has one. Published schemas contain standard formats only, so that
 * the validators of clients know them.
 */
export function completePatterns(schema: TSchema): TSchema {
  return rewrite(schema) as TSchema;
}

function rewrite(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewrite);
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rewrite(inner)]));
  const format = formatByPattern.get(String(schema.pattern));
  return format === undefined ? schema : { ...schema, format };
}

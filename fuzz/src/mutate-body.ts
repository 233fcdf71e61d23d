import { hostileTexts, hostileValues } from './hostile-values.ts';
import type { Random } from './random.ts';

type Json = unknown;

/** Changes a valid body: mostly one or two of its values, sometimes its text. */
export function mutateBody(body: Json, random: Random): Buffer {
  let changed = structuredClone(body);
  for (let count = 1 + random.below(2); count > 0; count--) changed = mutateValue(changed, random);
  const text = JSON.stringify(changed) ?? '';
  return random.percent(15) ? mutateText(text, random) : Buffer.from(text);
}

function mutateValue(value: Json, random: Random): Json {
  const isContainer = typeof value === 'object' && value !== null;
  if (!isContainer || random.percent(5)) return random.pick(hostileValues);
  if (Array.isArray(value)) return mutateList(value, random);
  return mutateObject(value as Record<string, Json>, random);
}

function mutateList(list: readonly Json[], random: Random): Json {
  const index = random.below(list.length + 1);
  switch (random.below(4)) {
    case 0:
      return list.filter((_, each) => each !== index);
    case 1:
      return [...list, ...list];
    case 2:
      return Array.from({ length: 1 + random.below(2_000) }, () => list[0] ?? {});
    default:
      return list.map((each, at) => (at === index ? mutateValue(each, random) : each));
  }
}

function mutateObject(fields: Readonly<Record<string, Json>>, random: Random): Json {
  const names = Object.keys(fields);
  const name = names.length > 0 ? random.pick(names) : 'name';
  const { [name]: value, ...others } = fields;
  switch (random.below(6)) {
    case 0:
      return others;
    case 1:
      return { ...fields, [random.pick(hostileTexts)]: random.pick(hostileValues) };
    case 2:
      return { ...others, [name]: nest(value, 1 + random.below(100)) };
    case 3:
      return { ...others, [name]: mutateValue(value, random) };
    default:
      return { ...others, [name]: random.pick(hostileValues) };
  }
}

function nest(value: Json, depth: number): Json {
  let nested = value;
  for (let level = 0; level < depth; level++) nested = level % 2 === 0 ? [nested] : { nested };
  return nested;
}

/** Changes the text of a body, so that it may no longer be JSON. */
function mutateText(text: string, random: Random): Buffer {
  const at = random.below(text.length + 1);
  switch (random.below(8)) {
    case 0:
      return Buffer.from(text.slice(0, at));
    case 1:
      return Buffer.from(`${text.slice(0, at)}${random.pick(hostileTexts)}${text.slice(at)}`);
    case 2:
      return Buffer.concat([Buffer.from(text.slice(0, at)), random.bytes(4), Buffer.from(text.slice(at))]);
    case 3:
      // The same name twice.
      return Buffer.from(text.replace(/^\{("[^"]*":)/, '{$1null,$1'));
    case 4:
      return Buffer.from(`\ufeff${text}`);
    case 5:
      return Buffer.from(JSON.stringify(text));
    case 6:
      return Buffer.from(`[${'{},'.repeat(random.below(5_000))}{}]`);
    default:
      return Buffer.from(text, 'utf16le');
  }
}

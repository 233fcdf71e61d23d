import type { Random } from '../generate/random.ts';
import { type Country, countries } from './countries.ts';

export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phoneCode: string;
  readonly phoneCountryCode: string;
  readonly contactNumber: string;
  readonly shippingAddress1: string;
  readonly shippingAddress2: string;
  readonly shippingLandmark: string;
  readonly shippingCity: string;
  readonly shippingState: string;
  readonly shippingCountry: string;
  readonly shippingCountryCode: string;
  readonly shippingPostalCode: string;
}

// Reserved domains (RFC 2606), so no message of the demo reaches a mailbox.
const emailDomains = ['example.com', 'example.org', 'example.net'] as const;
// Without letters that are easily misread.
const postalLetters = [...'ABDEFGHJLNPQRSTUWXYZ'];
// Letters that Unicode normalization does not decompose.
const plainLetters: Readonly<Record<string, string>> = { ı: 'i', ß: 'ss', ø: 'o', ł: 'l' };

const landmarks = ['Behind the bakery', 'Opposite the school', 'Blue door', 'Next to the pharmacy'] as const;

/** Invents people with unique names and e-mail addresses. */
export function inventPeople(random: Random, count: number): Person[] {
  const byEmail = new Map<string, Person>();
  // Most strains are sold in Germany and Portugal, so most clients live there.
  const weights = new Map([
    ['DEU', 3],
    ['PRT', 3],
    ['GBR', 2],
  ]);
  while (byEmail.size < count) {
    const country = random.pickWeighted(countries, ({ code }) => weights.get(code) ?? 1);
    const person = inventPerson(random, country);
    const [mailbox = ''] = person.email.split('@');
    if (!byEmail.has(mailbox)) byEmail.set(mailbox, person);
  }
  return [...byEmail.values()];
}

function inventPerson(random: Random, country: Country): Person {
  // Some people live outside their country of origin.
  const origin = random.chance(0.15) ? random.pick(countries) : country;
  const firstName = random.pick(origin.firstNames);
  const lastName = random.pick(origin.lastNames);
  const city = random.pick(country.cities);
  return {
    firstName,
    lastName,
    email: `${spellPlainly(firstName)}.${spellPlainly(lastName)}@${random.pick(emailDomains)}`,
    phoneCode: country.phoneCode,
    phoneCountryCode: country.phoneCountryCode,
    contactNumber: fillPattern(random, city.phone),
    shippingAddress1: random.pick(country.streets).replace('#', String(random.integer(1, 88))),
    shippingAddress2: random.chance(0.25) ? `Apt ${random.integer(1, 24)}` : '',
    shippingLandmark: random.chance(0.15) ? random.pick(landmarks) : '',
    shippingCity: city.name,
    shippingState: city.state,
    shippingCountry: country.name,
    shippingCountryCode: country.code,
    shippingPostalCode: fillPattern(random, city.postalCode),
  };
}

function fillPattern(random: Random, pattern: string): string {
  return pattern.replaceAll(/[#?]/g, (sign) =>
    sign === '#' ? String(random.integer(0, 9)) : random.pick(postalLetters),
  );
}

/** Converts a name for an e-mail address: lower case, no diacritics. */
function spellPlainly(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[ıßøł]/g, (letter) => plainLetters[letter] ?? '')
    .normalize('NFD')
    .replaceAll(/[^a-z]/g, '');
}

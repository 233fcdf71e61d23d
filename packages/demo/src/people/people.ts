import type { Random } from '../values/random.ts';
import countries from './countries.json' with { type: 'json' };

/**
 * Codes are ISO 3166-1: alpha-3, and alpha-2 for phones, as phone books name a country. In a street, `#` stands for the house
 * number; in postal codes and phone numbers it stands for a digit, and `?` for a letter.
 *
 * Australia, Britain and Germany reserve numbers for fiction, and these are theirs. The others reserve none; theirs
 * begin with digits that no network there uses, so that nobody's telephone rings.
 */
type Country = (typeof countries)[number];

// Reserved domains (RFC 2606), so no message of the demo reaches a mailbox.
const emailDomains = ['example.com', 'example.org', 'example.net'];
// Without letters that are easily misread.
const postalLetters = [...'ABDEFGHJLNPQRSTUWXYZ'];
// Letters that Unicode normalization does not decompose.
const plainLetters: Readonly<Record<string, string>> = { ı: 'i', ß: 'ss', ø: 'o', ł: 'l' };
const landmarks = ['Behind the bakery', 'Opposite the school', 'Blue door', 'Next to the pharmacy'];
// Most strains are sold in Germany and Portugal, so most clients live there.
const weights: Readonly<Record<string, number>> = { DEU: 3, PRT: 3, GBR: 2 };

/** Invents people with unique names and e-mail addresses. */
export function inventPeople(random: Random, count: number) {
  const byMailbox = new Map<string, ReturnType<typeof inventPerson>>();
  while (byMailbox.size < count) {
    const person = inventPerson(
      random,
      random.pickWeighted(countries, ({ code }) => weights[code] ?? 1),
    );
    const [mailbox = ''] = person.email.split('@');
    if (!byMailbox.has(mailbox)) byMailbox.set(mailbox, person);
  }
  return [...byMailbox.values()];
}

function inventPerson(random: Random, country: Country) {
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

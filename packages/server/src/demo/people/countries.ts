interface City {
  readonly name: string;
  readonly state: string;
  /** `#` stands for a digit, `?` for a letter. */
  readonly postalCode: string;
  /** Without the country's code. `#` stands for a digit. */
  readonly phone: string;
}

export interface Country {
  readonly name: string;
  /** ISO 3166-1 alpha-3. */
  readonly code: string;
  /** ISO 3166-1 alpha-2, as phone books name a country. */
  readonly phoneCountryCode: string;
  readonly phoneCode: string;
  /** `#` stands for the house number. */
  readonly streets: readonly string[];
  readonly cities: readonly City[];
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
}

/**
 * Australia, Britain and Germany reserve numbers for fiction, and these are theirs. The others reserve none; theirs
 * begin with digits that no network there uses, so that nobody's telephone rings.
 */
export const countries: readonly Country[] = [
  {
    name: 'Portugal',
    code: 'PRT',
    phoneCountryCode: 'PT',
    phoneCode: '+351',
    streets: [
      'Rua das Amendoeiras #',
      'Travessa do Farol #',
      'Rua da Oliveira Velha #',
      'Largo do Poço Novo #',
    ],
    cities: [
      { name: 'Lisboa', state: 'Lisboa', postalCode: '12##-###', phone: '9900#####' },
      { name: 'Porto', state: 'Porto', postalCode: '40##-###', phone: '9901#####' },
      { name: 'Faro', state: 'Faro', postalCode: '80##-###', phone: '9902#####' },
    ],
    firstNames: ['Inês', 'Tomás', 'Beatriz', 'Duarte', 'Leonor', 'Rui', 'Matilde', 'Gonçalo'],
    lastNames: ['Salgueiro', 'Vilarinho', 'Teixeira', 'Moura', 'Barradas', 'Quintela', 'Serpa', 'Azevedo'],
  },
  {
    name: 'Germany',
    code: 'DEU',
    phoneCountryCode: 'DE',
    phoneCode: '+49',
    streets: ['Ahornweg #', 'Am Alten Speicher #', 'Lindenhofstraße #', 'Kranichgasse #'],
    cities: [
      { name: 'Berlin', state: 'Berlin', postalCode: '10###', phone: '3023125###' },
      { name: 'Hamburg', state: 'Hamburg', postalCode: '20###', phone: '4066969###' },
      { name: 'München', state: 'Bayern', postalCode: '80###', phone: '8999998###' },
    ],
    firstNames: ['Annika', 'Jonas', 'Friederike', 'Malte', 'Selin', 'Torben', 'Henrike', 'Emre'],
    lastNames: [
      'Brandhorst',
      'Kessler',
      'Lindqvist',
      'Ostermann',
      'Yıldız',
      'Rautenberg',
      'Vogelsang',
      'Thiele',
    ],
  },
  {
    name: 'United Kingdom',
    code: 'GBR',
    phoneCountryCode: 'GB',
    phoneCode: '+44',
    streets: ['# Lantern Row', '# Old Cooper Street', '# Mulberry Steps', '# Tannery Lane'],
    cities: [
      { name: 'Bristol', state: 'England', postalCode: 'BS1 #??', phone: '7700900###' },
      { name: 'Leeds', state: 'England', postalCode: 'LS2 #??', phone: '7700900###' },
      { name: 'Edinburgh', state: 'Scotland', postalCode: 'EH3 #??', phone: '7700900###' },
    ],
    firstNames: ['Imogen', 'Callum', 'Priya', 'Rhys', 'Adaeze', 'Fergus', 'Nadia', 'Oliver'],
    lastNames: ['Ashdown', 'Pemberton', 'Okafor', 'Llewellyn', 'Raman', 'Carrick', 'Whitlock', 'Hussain'],
  },
  {
    name: 'South Africa',
    code: 'ZAF',
    phoneCountryCode: 'ZA',
    phoneCode: '+27',
    streets: ['# Protea Lane', '# Sunbird Avenue', '# Old Vineyard Road', '# Baobab Crescent'],
    cities: [
      { name: 'Cape Town', state: 'Western Cape', postalCode: '80##', phone: '9900#####' },
      { name: 'Johannesburg', state: 'Gauteng', postalCode: '20##', phone: '9901#####' },
      { name: 'Durban', state: 'KwaZulu-Natal', postalCode: '40##', phone: '9902#####' },
    ],
    firstNames: ['Thandeka', 'Pieter', 'Naledi', 'Sipho', 'Anneke', 'Lwazi', 'Zanele', 'Ruan'],
    lastNames: ['Mokoena', 'Viljoen', 'Dlamini', 'Fourie', 'Khumalo', 'Naidoo', 'Steenkamp', 'Mthembu'],
  },
  {
    name: 'Thailand',
    code: 'THA',
    phoneCountryCode: 'TH',
    phoneCode: '+66',
    streets: ['# Soi Lilawadi', '# Ratchaphruek Lane', '# Soi Dok Bua', '# Tha Nam Road'],
    cities: [
      { name: 'Bangkok', state: 'Bangkok', postalCode: '10###', phone: '4000#####' },
      { name: 'Chiang Mai', state: 'Chiang Mai', postalCode: '50###', phone: '4001#####' },
      { name: 'Phuket', state: 'Phuket', postalCode: '83###', phone: '4002#####' },
    ],
    firstNames: ['Nattaporn', 'Somchai', 'Kanya', 'Anurak', 'Ploy', 'Thanawat', 'Siriporn', 'Krit'],
    lastNames: [
      'Wongsawat',
      'Chaiyaphum',
      'Srisuk',
      'Boonmee',
      'Rattanakul',
      'Phromma',
      'Saetang',
      'Intharat',
    ],
  },
  {
    name: 'Czechia',
    code: 'CZE',
    phoneCountryCode: 'CZ',
    phoneCode: '+420',
    streets: ['Lipová #', 'Na Starém mlýně #', 'Ke Hvězdárně #', 'Vrbová #'],
    cities: [
      { name: 'Praha', state: 'Praha', postalCode: '110 ##', phone: '6800#####' },
      { name: 'Brno', state: 'Jihomoravský kraj', postalCode: '602 ##', phone: '6801#####' },
      { name: 'Olomouc', state: 'Olomoucký kraj', postalCode: '779 ##', phone: '6802#####' },
    ],
    firstNames: ['Tereza', 'Vojtěch', 'Barbora', 'Ondřej', 'Zdeňka', 'Matěj', 'Klára', 'Radim'],
    lastNames: ['Havelka', 'Zelenka', 'Krejčí', 'Poláček', 'Vlček', 'Sýkora', 'Hruška', 'Jelínek'],
  },
  {
    name: 'Switzerland',
    code: 'CHE',
    phoneCountryCode: 'CH',
    phoneCode: '+41',
    streets: ['Quellenweg #', 'Rebbergstrasse #', 'Alte Mühlegasse #', 'Seehaldenweg #'],
    cities: [
      { name: 'Zürich', state: 'Zürich', postalCode: '80##', phone: '7300#####' },
      { name: 'Bern', state: 'Bern', postalCode: '30##', phone: '7301#####' },
      { name: 'Basel', state: 'Basel-Stadt', postalCode: '40##', phone: '7302#####' },
    ],
    firstNames: ['Seraina', 'Luca', 'Mélanie', 'Reto', 'Flurina', 'Yannick', 'Ladina', 'Beat'],
    lastNames: ['Zurbriggen', 'Rochat', 'Bernasconi', 'Caduff', 'Aeschlimann', 'Favre', 'Wyss', 'Lombardi'],
  },
  {
    name: 'Australia',
    code: 'AUS',
    phoneCountryCode: 'AU',
    phoneCode: '+61',
    streets: ['# Banksia Street', '# Currawong Parade', '# Old Wharf Road', '# Ironbark Close'],
    cities: [
      { name: 'Sydney', state: 'New South Wales', postalCode: '20##', phone: '27010####' },
      { name: 'Melbourne', state: 'Victoria', postalCode: '30##', phone: '37010####' },
      { name: 'Brisbane', state: 'Queensland', postalCode: '40##', phone: '77010####' },
    ],
    firstNames: ['Matilda', 'Lachlan', 'Linh', 'Darcy', 'Talia', 'Angus', 'Mei', 'Hamish'],
    lastNames: ['Carmody', 'Nguyen', 'Fairweather', 'Delaney', 'Papadakis', 'Holloway', 'Tran', 'Kirkbride'],
  },
];

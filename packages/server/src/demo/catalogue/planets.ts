export interface CataloguePlanet {
  readonly number: number;
  readonly name: string;
  readonly description: string;
}

/** The themes of the storefronts. All of them are invented. */
export const planets: readonly CataloguePlanet[] = [
  {
    number: 1,
    name: 'Auremi',
    description:
      'A slow world where one sunrise fills half a day. Everything planted here grows towards the gold.',
  },
  {
    number: 2,
    name: 'Calobrine',
    description:
      'Copper canyons that keep the heat of the afternoon and hand it back after dark, stone by stone.',
  },
  {
    number: 3,
    name: 'Ferrowick',
    description:
      'Iron-red moors under a low sky, crossed by causeways whose lanterns are never allowed to go out.',
  },
  {
    number: 4,
    name: 'Halcyra',
    description:
      'Its seas have no tide and its winds have no hurry. Sailors come here to forget where they were going.',
  },
  {
    number: 5,
    name: 'Ilmarsh',
    description:
      'Reeds, herons and a fog that arrives on foot. The houses stand on stilts and the gardens float.',
  },
  {
    number: 6,
    name: 'Jorrun',
    description:
      'Black basalt and white lightning. What survives the storms of Jorrun has learned to sing along.',
  },
  {
    number: 7,
    name: 'Verdane',
    description:
      'Green from pole to pole, with forests so deep that the moon is a rumour told by the tallest trees.',
  },
  {
    number: 8,
    name: 'Keldrith',
    description:
      'A cold world cut by blue canyons. The air is thin, the stars are close and every sound travels far.',
  },
  {
    number: 9,
    name: 'Lomeraine',
    description: 'Rolling uplands of violet heath, loud with bees until evening and fragrant long after it.',
  },
  {
    number: 10,
    name: 'Mirrowen',
    description:
      'A thousand still lakes hold a second sky. Visitors are advised to check twice which one they stand under.',
  },
  {
    number: 11,
    name: 'Noctabel',
    description:
      'One side never turns to its sun, and that is the side where everyone lives. Its orchards bloom by starlight.',
  },
  {
    number: 12,
    name: 'Ombrelle',
    description:
      'Leaves the size of rooftops overlap from coast to coast. Rain reaches the ground an hour after it falls.',
  },
  {
    number: 13,
    name: 'Pelagune',
    description:
      'An ocean with a few opinions about land. Its growers tend terraces of coral and follow the warm currents.',
  },
  {
    number: 14,
    name: 'Quillary',
    description:
      'Feathered grass to every horizon, on which the wind writes all day and corrects itself all night.',
  },
  {
    number: 15,
    name: 'Rosmere',
    description: 'Shallow lakes turned pink by their own small life, and shores where damask roses run wild.',
  },
  {
    number: 16,
    name: 'Saltreve',
    description: 'White flats that shimmer until nobody trusts a distance. Caravans here steer by taste.',
  },
  {
    number: 17,
    name: 'Tamberlyn',
    description: 'A planet that stopped at autumn and saw no reason to go on. Its forests drip with amber.',
  },
  {
    number: 18,
    name: 'Ushavar',
    description:
      'Deserts by day, markets by night. The spice merchants say that their scales weigh moonlight too.',
  },
  {
    number: 19,
    name: 'Wintergast',
    description:
      'Snow falls here as a kind of courtesy, softly and in good time. Every door has a bench and a fire behind it.',
  },
  {
    number: 20,
    name: 'Zephandra',
    description:
      'Gardens that drift between cloud banks, moored to nothing. The harvest goes to whoever catches it.',
  },
];

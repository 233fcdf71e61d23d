/** The longest line of a generated file, as Biome formats the other files. */
export const lineWidth = 110;

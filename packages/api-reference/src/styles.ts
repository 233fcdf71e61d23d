import { colours } from './styles-colours.ts';
import { contentStyles } from './styles-content.ts';
import { layoutStyles } from './styles-layout.ts';

/** The whole style sheet. The layout comes last, because it changes the look where there is little room. */
export const styles = colours + contentStyles + layoutStyles;

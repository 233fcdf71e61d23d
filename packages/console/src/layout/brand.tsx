import { texts } from '../texts/layout.ts';
import classes from './brand.module.css';

/** The name of the product beside its mark. */
export function Brand() {
  return (
    <span className={classes.brand}>
      <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#4338ca" />
        <g fill="none" stroke="#fff" strokeWidth="3" strokeLinecap="round">
          <circle cx="12.5" cy="12.5" r="4.5" />
          <path d="m16 16 8 8m-3.5-3.5 2.500-2.500" />
        </g>
      </svg>
      {texts.keyfront}
    </span>
  );
}

/** The icons of the console: outlines on a grid of 24, drawn with a stroke of 1.75. */
const outlines = {
  overview: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z',
  orders: 'M5 8h14l-1 12H6zM9 8V7a3 3 0 0 1 6 0v1M9.5 12a2.5 2.5 0 0 0 5 0',
  clients: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 20.5a7.5 7.5 0 0 1 15 0',
  catalogue: 'M12 21V11M12 13c0-5 3-8 8-8 0 5-3 8-8 8M12 17c0-4-2.5-6.5-7-6.5 0 4 2.5 6.5 7 6.5',
  cart: 'M3 4.5h2.5L8 15h9.5L20 7.5H6.2M9 19.5a.75.75 0 1 0 0-.01M16.5 19.5a.75.75 0 1 0 0-.01',
  sales: 'M4 5h4v14H4zM10 5h4v9h-4zM16 5h4v6h-4z',
  market:
    'M4 9.5 5.5 4h13L20 9.5M4 9.5a2.67 2.67 0 0 0 5.33 0 2.67 2.67 0 0 0 5.34 0 2.67 2.67 0 0 0 5.33 0M5.5 12.5V20h13v-7.5',
  keys: 'M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 12h9M18 12v3.5',
  explorer: 'm8 8-4 4 4 4M16 8l4 4-4 4M13.5 5l-3 14',
  events: 'M3 12h4l3-7 4 14 3-7h4',
  webhooks:
    'M7 17a3 3 0 1 1 2.5-4.7L12 8M17 17H9.5M14.5 6.5 17 11a3.5 3.5 0 1 1-1.5 6.5M9.5 6.5a3 3 0 1 1 5 0',
  queue: 'M5 6h14M5 12h14M5 18h8M17 16l1.5 1.5L22 14',
  audit: 'M7 3.5h7l4 4v13H7zM14 3.5v4h4M10 12h5M10 16h5',
  delivery: 'M3 7h11v9H3zM14 10h4l3 3v3h-7M7 18.5a1.75 1.75 0 1 0 0-.01M17 18.5a1.75 1.75 0 1 0 0-.01',
  planets:
    'M12 17a5 5 0 1 0 0-10 5 5 0 0 0 0 10M7.5 14.5C4 17 2.5 19 3.2 19.8c1 1.1 6-1.5 11-6s8.5-8.8 7.5-9.8c-.7-.8-3 .4-6 2.7',
  holders:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20a6.5 6.5 0 0 1 13 0M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14a6.5 6.5 0 0 1 3.5 6',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.5 15.5 20 20',
  filters:
    'M4 7h10M18 7h2M16 9.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4M4 17h2M10 17h10M8 19.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  moon: 'M20 14.5A8.5 8.5 0 1 1 9.5 4a6.8 6.8 0 0 0 10.5 10.5',
  device: 'M3 5h18v11H3zM9 20h6M12 16v4',
  signOut: 'M14 8V4.5H5v15h9V16M10 12h11M18 9l3 3-3 3',
  menu: 'M4 7h16M4 12h16M4 17h16',
  check: 'm5 12.5 4.5 4.5L19 7',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  download: 'M12 4v11M7.5 11 12 15.5 16.5 11M4 19.5h16',
  close: 'M6 6l12 12M18 6 6 18',
  plus: 'M12 5v14M5 12h14',
  alert: 'M12 4 2.5 20h19zM12 10v4.5M12 17.2v.1',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 11v5M12 8v.1',
  wallet: 'M4 7.5V18a2 2 0 0 0 2 2h14V8H5.5A1.5 1.5 0 0 1 4 6.5 1.5 1.5 0 0 1 5.5 5H18v3M16.5 13.9v.1',
  up: 'M7 17 17 7M9 7h8v8',
  down: 'M7 7l10 10M17 9v8H9',
  next: 'm9 5 7 7-7 7',
  back: 'm15 5-7 7 7 7',
  external: 'M13 5h6v6M19 5l-9 9M11 6H5v13h13v-6',
  refund: 'M4 9h11a5 5 0 0 1 0 10H8M8 5 4 9l4 4',
  refresh: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9.5M20 4v5.5h-5.5',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  edit: 'M5 19l1-4L16.5 4.5l3 3L9 18zM14 7l3 3',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12M12 14.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6',
} as const;

export type IconName = keyof typeof outlines;

interface IconProps {
  readonly name: IconName;
  readonly size?: number;
}

/** An icon beside a text that says the same. Hidden from assistive technology. */
export function Icon({ name, size = 18 }: IconProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={outlines[name]} />
    </svg>
  );
}

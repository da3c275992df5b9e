/** Drawn on 24 × 24, in the colour of the text around them. */
const SHAPES = {
  home: "M4 11l8-7 8 7M6 9.500V20h12V9.500M10 20v-6h4v6",
  services: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  plans: "M4 5h4v15H4zM10 9h4v11h-4zM16 13h4v7h-4z",
  orders: "M5 4h14v17l-3-2-2 2-2-2-2 2-2-2-3 2zM9 9h6M9 13h6",
  columns: "M4 5h16v14H4zM9.500 5v14M14.500 5v14",
  download: "M12 4v11M7 10.500l5 5 5-5M5 20h14",
  bookmark: "M6 4h12v16l-6-4.500L6 20z",
  key: "M14.500 9.500m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0M11 13l-7 7M4 20v-3M7 17l2 2",
  log: "M4 6h3M4 12h3M4 18h3M10 6h10M10 12h10M10 18h6",
  book: "M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11M9 8h6",
  mail: "M3 6h18v12H3zM3 7l9 7 9-7",
  sun: "M12 12m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0M12 3v2M12 19v2M3 12h2M19 12h2M5.600 5.600l1.400 1.400M17 17l1.400 1.400M18.400 5.600L17 7M7 17l-1.400 1.400",
  moon: "M20 14.500A8.500 8.500 0 1 1 9.500 4a7 7 0 0 0 10.500 10.500z",
  menu: "M4 7h16M4 12h16M4 17h16",
  down: "M6 9l6 6 6-6",
  right: "M9 6l6 6-6 6",
  search: "M10.500 10.500m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0M15 15l5 5",
  copy: "M8 8h12v12H8zM16 8V4H4v12h4",
  check: "M5 12.500l4.500 4.500L19 7.500",
  cross: "M6 6l12 12M18 6L6 18",
  clock: "M12 12m-8.500 0a8.500 8.500 0 1 0 17 0a8.500 8.500 0 1 0-17 0M12 7v5.500l3.500 2",
  plane: "M21 4L10 15M21 4l-6.500 17-4-7-7-4z",
  question: "M9 9a3 3 0 1 1 4.500 2.600c-1 .600-1.500 1.200-1.500 2.400M12 17.500v.010",
  back: "M9 14l-5-5 5-5M4 9h10a6 6 0 0 1 0 12h-3",
  person: "M12 8m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0M5 21c.500-4 3-6 7-6s6.500 2 7 6",
  team: "M9 8.500m-3.500 0a3.500 3.500 0 1 0 7 0a3.500 3.500 0 1 0-7 0M3 20c.400-3.500 2.500-5.500 6-5.500s5.600 2 6 5.500M15.500 5.300a3.500 3.500 0 0 1 0 6.400M17.500 15c2 .700 3.200 2.400 3.500 5",
  leave: "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
  warning: "M12 4l9.500 16h-19zM12 10v4.500M12 17.200v.010",
  stop: "M12 12m-8.500 0a8.500 8.500 0 1 0 17 0a8.500 8.500 0 1 0-17 0M6.500 6.500l11 11",
  plus: "M12 5v14M5 12h14",
  roll: "M4 12a8 8 0 0 1 14-5.300L20 9M20 4v5h-5M20 12a8 8 0 0 1-14 5.300L4 15M4 20v-5h5",
  bin: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  sms: "M4 5h16v11H11l-4 4v-4H4zM8 9h8M8 12.500h5",
  chat: "M20 12a8 8 0 0 1-11.800 7L4 20l1.100-4A8 8 0 1 1 20 12zM9 11h6M9 14h4",
  airtime: "M7 3h10v18H7zM10.500 18h3M10 6h4",
  electricity: "M13 3L5 14h6l-1 7 8-11h-6z",
  cable: "M3 8h18v12H3zM8 3l4 5 4-5",
} as const;

export type IconName = keyof typeof SHAPES;
export const isIcon = (name: string): name is IconName => name in SHAPES;

/** Says nothing by itself: the word beside it does. */
export const Icon = ({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.750"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={SHAPES[name]} />
  </svg>
);

const shapes = {
  search: "M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M16 16l4.5 4.5",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 3v2M12 19v2M3 12h2M19 12h2M6 6l1 1M17 17l1 1M6 18l1-1M17 7l1-1",
  moon: "M20 14.2A8.2 8.2 0 0 1 9.8 4 8.2 8.2 0 1 0 20 14.2z",
  system: "M3 5h18v11H3zM9 20h6M12 16v4",
  menu: "M3 7h18M3 12h18M3 17h18",
  close: "m6 6 12 12M18 6 6 18",
  done: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18m-4 9.2 2.8 2.8L16 9.6",
  info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18m0 8v5.5M12 7.5v.1",
  alert: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18m0 4.5V13m0 3.4v.1",
  check: "m5 12.5 4.5 4.5L19 7.5",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  down: "m6 9.5 6 6 6-6",
  up: "m6 14.5 6-6 6 6",
  left: "m14.5 6-6 6 6 6",
  right: "m9.5 6 6 6-6 6",
  copy: "M8.5 8.5h11v11h-11zM15.5 8.5v-4h-11v11h4",
  remove: "M5 7h14M9 7V4.5h6V7M7 7l.8 12.5h8.4L17 7",
  filter: "M3 6h18M6.5 12h11M10 18h4",
  rows: "M4 5h16M4 9.7h16M4 14.3h16M4 19h16",
  grid: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  retry: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9M19.5 4.5V9H15",
  undo: "M4.5 12a7.5 7.5 0 1 0 2.2-5.3L4.5 9M4.5 4.5V9H9",
  download: "M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 20h14",
  cart: "M2 4h3l2 11h11l2-7H6M9 18v3M16 18v3",
} as const;

export type IconName = keyof typeof shapes;

/** A decorative 24 × 24 icon in the text's colour. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return drawIcon(shapes[name], className);
}

export function drawIcon(path: string, className?: string) {
  return (
    <svg
      className={className}
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

/** What the keys of a table do: `[["Ctrl D"], "fill from above"]`. */
export function KeyLegend({ keys }: { keys: [names: string[], act: string][] }) {
  return (
    <p className="keys">
      {keys.map(([names, act]) => (
        <span key={act}>
          {names.map((name) => (
            <kbd key={name}>{name}</kbd>
          ))}{" "}
          {act}
        </span>
      ))}
    </p>
  );
}

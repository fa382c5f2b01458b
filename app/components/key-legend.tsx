/** What the keys of a table do: `[["Ctrl D"], "fill from above"]`. */
export function KeyLegend({ keys }: { keys: [names: string[], action: string][] }) {
  return (
    <p className="keys">
      {keys.map(([names, action]) => (
        <span key={action}>
          {names.map((name) => (
            <kbd key={name}>{name}</kbd>
          ))}{" "}
          {action}
        </span>
      ))}
    </p>
  );
}

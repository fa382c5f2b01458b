export function KeyLegend() {
  const keys: [string[], string][] = [
    [["Arrows"], "move"],
    [["Enter"], "edit, next line"],
    [["Del"], "clear"],
    [["Ctrl", "V"], "paste rows"],
    [["Ctrl", "Z"], "undo"],
    [["F8"], "next problem"],
  ];
  return (
    <dl className="cart__keys">
      {keys.map(([names, act]) => (
        <div key={act}>
          <dt>
            {names.map((name) => (
              <kbd key={name}>{name}</kbd>
            ))}
          </dt>
          <dd>{act}</dd>
        </div>
      ))}
    </dl>
  );
}

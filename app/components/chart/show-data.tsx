interface ShowDataProps {
  caption: string;
  headings: string[];
  /** the first cell is the row's heading */
  rows: string[][];
}

export function ShowData({ caption, headings, rows }: ShowDataProps) {
  return (
    <details className="show-data">
      <summary>Show data</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it */}
      <section className="show-data__bd" tabIndex={0} aria-label={caption}>
        <table>
          <caption className="vh">{caption}</caption>
          <thead>
            <tr>
              {headings.map((heading) => (
                <th scope="col" key={heading}>
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...figures]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {figures.map((figure, index) => (
                  <td key={headings[index + 1]}>{figure}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

import { Fragment } from "react";
import { location } from "./home/home-texts.ts";

export function PlaceFacts() {
  return (
    <dl className="tb">
      {location.facts.map((fact) => (
        <div key={fact.label}>
          <dt>{fact.label}</dt>
          <dd>
            {fact.href ? (
              <a className="link" href={fact.href}>
                {fact.lines[0]}
              </a>
            ) : (
              fact.lines.map((line, position) => (
                <Fragment key={line}>
                  {position > 0 && <br />}
                  {line}
                </Fragment>
              ))
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

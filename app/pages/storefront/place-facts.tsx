import { Fragment } from "react";
import { TitleBlock } from "../../components/title-block.tsx";
import { location } from "./home/home-texts.ts";

export function PlaceFacts() {
  const items = location.facts.map(({ label, lines, href }) => ({
    label,
    value: href ? (
      <a className="link" href={href}>
        {lines[0]}
      </a>
    ) : (
      lines.map((line, position) => (
        <Fragment key={line}>
          {position > 0 && <br />}
          {line}
        </Fragment>
      ))
    ),
  }));
  return <TitleBlock items={items} />;
}

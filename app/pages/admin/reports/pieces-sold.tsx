import type { Overview } from "../../../../api/overview.ts";
import { ShareBar } from "../../../components/chart/share-bar.tsx";
import { ShowData } from "../../../components/chart/show-data.tsx";
import { count } from "../../../components/format.ts";
import { Picture } from "../../../components/picture.tsx";

const MAX_SHOWN = 6;

/** The best-selling products; the table of the data has twenty. */
export function PiecesSold({ sold }: { sold: Overview["sold"] }) {
  const largest = sold[0]?.pieces ?? 0;
  return (
    <section className="chart w5">
      <div className="chart__hd">
        <h2 className="t-h3">Pieces sold by tool</h2>
        <span className="t-label">last 30 days</span>
      </div>
      {sold.length === 0 && <p className="soft">No payments in the last 30 days.</p>}
      <ul>
        {sold.slice(0, MAX_SHOWN).map((tool) => (
          <li className="hbar" key={tool.productId}>
            <span className="item__pic">
              <Picture src={tool.picture} alt="" />
            </span>
            <span className="hbar__name">{tool.name}</span>
            <b className="num">{count(tool.pieces)}</b>
            <span className="hbar__line">
              <ShareBar value={tool.pieces} largest={largest} />
            </span>
          </li>
        ))}
      </ul>
      {sold.length > 0 && (
        <ShowData
          caption="Pieces sold by tool in the last 30 days"
          headings={["Tool", "Pieces"]}
          rows={sold.map((tool) => [tool.name, count(tool.pieces)])}
        />
      )}
    </section>
  );
}

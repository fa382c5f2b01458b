import { useRef, useState } from "react";
import { Link } from "react-router";
import type { StockLevel } from "../../../../api/stock-calls.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { DimensionBar } from "../../../components/dimension-bar.tsx";
import { count, counted } from "../../../components/format.ts";
import { pageTitle } from "../../../components/page-title.ts";
import { Actions, type Column, Lead } from "../../../components/table.tsx";
import { toast } from "../../../components/toast.ts";
import { call } from "../../../data/api-client.ts";
import { type ListParams, oneOf } from "../../../data/use-list-params.ts";
import { callerIn, listQuery } from "../../dashboard/require-session.ts";
import { ListPage, useList } from "../list-page.tsx";
import { piecesProblem, readNumber } from "../read-number.ts";
import "../../../styles/stock.css";
import type { Route } from "./+types/stock.ts";

export const meta = () => pageTitle("Stock");

function readSearch({ get }: Pick<ListParams, "get">) {
  return { q: get("q"), low: oneOf(get("low"), ["1"]) };
}

export async function loader({ context, url }: Route.LoaderArgs) {
  return { stock: await callerIn(context).call("listStock", { query: listQuery(url, readSearch) }) };
}

/** Stock and reorder points of all products, the most urgent first. */
export default function StockPage({ loaderData }: Route.ComponentProps) {
  const list = useList(loaderData.stock, readSearch);
  const counts = list.loaded.data?.counts;
  const isAllStocked = list.search.low && !list.search.q;
  return (
    <ListPage
      {...list}
      title="Stock"
      fact={counts && lowStockFact(counts.low)}
      exportPath="/admin/stock/export.csv"
      searchField={{ label: "Search tools", placeholder: "Name, number or category" }}
      tabs={{
        label: "Stock",
        name: "low",
        items: [
          [undefined, "All", counts?.all],
          ["1", "Below reorder point", counts?.low],
        ],
      }}
      className="tbl--stock"
      rows={(data) => data.products}
      noun="tools"
      caption="Stock of the tools on sale"
      rowKey={(product) => product._id}
      columns={stockColumns(list.loaded.reload)}
      noMatches={{
        title: isAllStocked ? "Nothing to reorder" : "No matching tools",
        showAll: "Show all tools",
        drawing: false,
        children: isAllStocked
          ? "No tool is below its reorder point."
          : "Search for a name, an item number or a category.",
      }}
    />
  );
}

function lowStockFact(low: number): string {
  if (low === 0) return "No tool is below its reorder point. A reorder point of 0 means none.";
  return low === 1
    ? "1 tool is below its reorder point."
    : `${counted(low, "tool")} are below their reorder point.`;
}

function stockColumns(onChanged: () => void): Column<StockLevel>[] {
  return [
    {
      heading: "Tool",
      kind: "lead",
      cell: ({ _id, name, picture, itemNumber }) => (
        <Lead
          picture={picture}
          name={
            <Link className="link clamp" title={name} to={`/dashboard/stock/${_id}`} prefetch="intent">
              {name}
            </Link>
          }
          note={itemNumber}
        />
      ),
    },
    {
      heading: "Stock to reorder point",
      hiddenOnPhone: true,
      optional: true,
      cell: ({ quantity, reorderPoint }) =>
        reorderPoint > 0 && (
          <DimensionBar
            part={Math.min(quantity, 2 * reorderPoint)}
            whole={2 * reorderPoint}
            threshold={reorderPoint}
            isShort={quantity < reorderPoint}
            label={`${count(quantity)} in stock, reorder at ${count(reorderPoint)}`}
          />
        ),
    },
    {
      heading: "Stock",
      kind: "strong",
      cell: ({ quantity, reorderPoint }) => (
        <>
          {count(quantity)}
          {quantity < reorderPoint && <span className="cell-2 is-low">low</span>}
        </>
      ),
    },
    { heading: "Unpaid orders", kind: "figure", cell: ({ promised }) => count(promised) },
    {
      heading: "Reorder at",
      kind: "figure",
      cell: (product) => <ReorderPoint key={product._id} product={product} onChanged={onChanged} />,
    },
    {
      heading: "Action",
      kind: "action",
      cell: ({ _id, name }) => (
        <Actions>
          <ButtonLink size="sm" to={`/dashboard/stock/${_id}`} aria-label={`Receive or count, ${name}`}>
            Receive or count
          </ButtonLink>
        </Actions>
      ),
    },
  ];
}

/** Saved on blur or Enter; Escape restores the saved value. */
function ReorderPoint({ product, onChanged }: { product: StockLevel; onChanged: () => void }) {
  const { _id, name, reorderPoint } = product;
  const [text, setText] = useState(String(reorderPoint));
  const [problem, setProblem] = useState<string | null>(null);
  const [shownPoint, setShownPoint] = useState(reorderPoint);
  /** as in the store once all requests are done; null after one without a success, which may have been saved */
  const savedPoint = useRef<number | null>(reorderPoint);
  const lastRequest = useRef<Promise<unknown>>(Promise.resolve());
  if (shownPoint !== reorderPoint) {
    setShownPoint(reorderPoint);
    savedPoint.current = reorderPoint;
    // another value may have been typed since
    if ([shownPoint, reorderPoint].includes(readNumber(text) ?? Number.NaN)) setText(String(reorderPoint));
  }
  const problemId = `reorder-problem-${_id}`;

  async function save() {
    const inputProblem = piecesProblem(text);
    setProblem(inputProblem ?? null);
    if (inputProblem) return;
    const newPoint = Number(readNumber(text));
    if (newPoint === savedPoint.current) return setText(String(newPoint));
    savedPoint.current = newPoint;
    const input = { params: { id: _id }, body: { reorderPoint: newPoint } };
    // one after the other: the repetition of an earlier one must not undo a later one
    const request = lastRequest.current.then(() => call("setReorderPoint", input));
    lastRequest.current = request;
    const outcome = await request;
    if (!outcome.ok) {
      savedPoint.current = null;
      return setProblem(outcome.detail);
    }
    toast.success(
      newPoint === 0 ? `${name} has no reorder point.` : `${name} is reordered below ${count(newPoint)}.`,
    );
    onChanged();
  }

  return (
    <div className="reorder">
      <input
        className="input num"
        inputMode="numeric"
        autoComplete="off"
        value={text}
        aria-label={`Reorder point of ${name}`}
        aria-invalid={problem !== null}
        aria-describedby={problem ? problemId : undefined}
        onChange={({ target }) => setText(target.value)}
        onBlur={() => void save()}
        onKeyDown={({ key }) => {
          if (key === "Enter") void save();
          if (key === "Escape") {
            setText(String(savedPoint.current ?? reorderPoint));
            setProblem(null);
          }
        }}
      />
      {problem && (
        <small className="is-late" id={problemId} role="alert">
          {problem}
        </small>
      )}
    </div>
  );
}

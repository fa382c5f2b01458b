import { useState } from "react";
import { Link, useNavigate } from "react-router";
import type { SavedListLine, SavedListSummary } from "../../../api/list-calls.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { DateTime } from "../../components/date-time.tsx";
import { focusHeading } from "../../components/focus-heading.ts";
import { count, counted, dollars } from "../../components/format.ts";
import { Icon } from "../../components/icon.tsx";
import { PageHead } from "../../components/page-head.tsx";
import { pageTitle } from "../../components/page-title.ts";
import { PictureQuad } from "../../components/picture-quad.tsx";
import { QueryBoundary } from "../../components/query-boundary.tsx";
import { EmptyState } from "../../components/states.tsx";
import { Actions, type Column, Table } from "../../components/table.tsx";
import { toast } from "../../components/toast.ts";
import { call } from "../../data/api-client.ts";
import { useCallOnce } from "../../data/call-once.ts";
import { useCart } from "../../data/cart.ts";
import { useBusy } from "../../data/use-busy.ts";
import { useLoaderResult } from "../../data/use-loader-result.ts";
import { useRevalidateOnReturn } from "../../data/use-on-return.ts";
import "../../styles/lists.css";
import { callerIn } from "../dashboard/require-session.ts";
import type { Route } from "./+types/lists.ts";
import { addListToCart, deleteList } from "./list-actions.ts";
import { ListNameDialog } from "./list-name-dialog.tsx";

export const meta = () => pageTitle("Lists");

export async function loader({ context }: Route.LoaderArgs) {
  return { lists: await callerIn(context).call("listSavedLists", {}) };
}

/** The saved lists of the account, with their current totals. */
export default function ListsPage({ loaderData }: Route.ComponentProps) {
  const loaded = useLoaderResult(loaderData.lists);
  useRevalidateOnReturn();
  const [naming, setNaming] = useState(false);
  const lists = loaded.data?.lists ?? [];
  const newList = (
    <Button icon="plus" onClick={() => setNaming(true)}>
      New list
    </Button>
  );
  return (
    <>
      <PageHead
        title="Lists"
        fact={lists.length > 0 && factOf(lists.length)}
        action={lists.length > 0 && newList}
      />
      <QueryBoundary loaded={loaded} failed="Your lists could not be loaded.">
        {() =>
          lists.length === 0 ? (
            <div className="panel">
              <EmptyState title="No lists yet" drawing={false} action={newList}>
                Keep what you order again and again under a name, and add it to your cart at once.
              </EmptyState>
            </div>
          ) : (
            <>
              <div className="panel">
                <ListsTable lists={lists} onChange={loaded.reload} />
              </div>
              <p className="hint lists-hint">
                Make a list from your cart, from an order, or by pasting rows into a new one.
              </p>
            </>
          )
        }
      </QueryBoundary>
      <NewList open={naming} onClose={() => setNaming(false)} />
    </>
  );
}

function factOf(lists: number): string {
  return `${counted(lists, "list")}. Prices and stock as of now.`;
}

function NewList({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { lines } = useCart();
  const [fromCart, setFromCart] = useState(false);
  const callOnce = useCallOnce();
  const navigate = useNavigate();

  async function add(name: string): Promise<string | undefined> {
    const copied = fromCart ? lines.map(({ productId, quantity }) => ({ productId, quantity })) : [];
    const body = { name, lines: copied };
    const outcome = await callOnce("addSavedList", { body });
    if (outcome.ok) await navigate(`/dashboard/lists/${outcome.data._id}`);
    return outcome.ok ? undefined : outcome.detail;
  }

  return (
    <ListNameDialog open={open} onClose={onClose} title="New list" submitLabel="Save list" onConfirm={add}>
      {lines.length > 0 && (
        <label className="check">
          <input type="checkbox" checked={fromCart} onChange={({ target }) => setFromCart(target.checked)} />
          {lines.length === 1
            ? "With the line of your cart"
            : `With the ${counted(lines.length, "line")} of your cart`}
        </label>
      )}
    </ListNameDialog>
  );
}

function ListsTable({ lists, onChange }: { lists: SavedListSummary[]; onChange: () => void }) {
  const columns: Column<SavedListSummary>[] = [
    { heading: "List", kind: "lead", cell: (list) => <Name list={list} /> },
    { heading: "Lines", kind: "figure", cell: ({ lineCount }) => count(lineCount) },
    { heading: "Pieces", kind: "figure", cell: ({ pieces }) => count(pieces) },
    { heading: "Total today", kind: "strong", cell: ({ total }) => dollars(total) },
    { heading: "Changed", optional: true, cell: ({ changedAt }) => <DateTime at={changedAt} /> },
    { heading: "Action", kind: "action", cell: (list) => <ListActions list={list} onChange={onChange} /> },
  ];
  return (
    <Table
      className="tbl--lists"
      caption="Your lists, last changed first"
      columns={columns}
      rows={lists}
      rowKey={({ _id }) => _id}
    />
  );
}

function Name({ list: { _id, name, pictures, lineCount, problems } }: { list: SavedListSummary }) {
  const { noLongerSold, shortOfStock, wrongQuantity } = problems;
  const flags = [
    noLongerSold > 0 && `${counted(noLongerSold, "line")} no longer sold`,
    shortOfStock > 0 && `${counted(shortOfStock, "line")} short of stock`,
    wrongQuantity > 0 && `${counted(wrongQuantity, "line")} to change`,
  ].filter((flag) => flag !== false);
  return (
    <div className="item">
      <PictureQuad pictures={pictures} total={lineCount} />
      <div>
        <b>
          <Link className="row-link row-link--underlined" prefetch="intent" to={`/dashboard/lists/${_id}`}>
            {name}
          </Link>
        </b>
        {flags.map((flag) => (
          <small key={flag} className="lists-flag">
            <Icon name="alert" />
            {flag}
          </small>
        ))}
      </div>
    </div>
  );
}

function ListActions({ list, onChange }: { list: SavedListSummary; onChange: () => void }) {
  const { _id: id, name, lineCount, problems } = list;
  const [busy, run] = useBusy();
  const navigate = useNavigate();

  async function withLines(action: (lines: SavedListLine[]) => unknown) {
    const outcome = await call("findSavedList", { params: { id } });
    if (outcome.ok) return action(outcome.data.lines);
    toast.error(outcome.detail);
    onChange();
  }

  /** As on the page of the list, without what is no longer sold. */
  async function add(found: SavedListLine[]) {
    const checked = await call("checkLines", { body: { lines: found } });
    if (!checked.ok) return toast.error(checked.detail);
    const lines = found.flatMap((line, index) => {
      const { code, price } = checked.data.lines[index] ?? {};
      return code === "archived" ? [] : [{ ...line, ...(price !== undefined && { price }) }];
    });
    const needChange = problems.shortOfStock + problems.wrongQuantity;
    addListToCart(lines, needChange, () => void navigate("/cart"), found.length - lines.length);
  }

  return (
    <Actions>
      <Button
        size="sm"
        busy={busy}
        disabled={lineCount === problems.noLongerSold}
        aria-label={`Add to cart, ${name}`}
        onClick={() => run(() => withLines(add))}
      >
        Add to cart
      </Button>
      <IconButton
        icon="remove"
        label={`Delete ${name}`}
        onClick={() =>
          run(() =>
            withLines(async (found) => {
              if (!(await deleteList({ _id: id, name, lines: found }, onChange))) return;
              focusHeading();
              onChange();
            }),
          )
        }
      />
    </Actions>
  );
}

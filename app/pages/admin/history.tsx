import { Link } from "react-router";
import type { Answer } from "../../../api/contract.ts";
import { pageTitle } from "../../page-title.ts";
import { Button } from "../../ui/button.tsx";
import { ExactMoment } from "../../ui/exact-moment.tsx";
import { count } from "../../ui/format.ts";
import { ListFrame } from "../../ui/list-frame.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Panel } from "../../ui/panel.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { type Address, useAddress } from "../../use-address.ts";
import { useCall } from "../../use-call.ts";
import { wordsOfChange } from "./history-words.ts";

export const meta = () => pageTitle("History");

type Event = Answer<"listHistory">["events"][number];

const subjects = [
  ["purchase", "Orders"],
  ["payment", "Payments"],
  ["refund", "Refunds"],
  ["product", "Tools"],
  ["user", "Roles"],
] as const;

/** Who changed what, newest first. It is written by the database with each change, and cannot be changed. */
export default function HistoryPage() {
  const address = useAddress();
  const q = address.get("q");
  const subject = subjectOf(address);
  const history = useCall("listHistory", { query: { q, subject, cursor: address.get("cursor") } });
  return (
    <>
      <PageHead
        title="History"
        fact="Every change of an order, a payment, a tool or a role. Nothing here can be changed."
      />
      <div className="listbar">
        <Tabs
          label="About"
          items={[
            { to: address.to({ subject: undefined }), label: "All", current: !subject },
            ...subjects.map(([name, label]) => ({
              to: address.to({ subject: name }),
              label,
              current: subject === name,
            })),
          ]}
        />
        <SearchField
          label="Search the history"
          placeholder="Person, tool, order id or reason"
          value={q ?? ""}
          onSearch={(text) => address.set({ q: text }, { replace: true })}
        />
      </div>
      <ListFrame
        called={history}
        pictures={false}
        isEmpty={(data) => data.events.length === 0}
        empty={<Nothing address={address} />}
        news={(data) => `${count(data.events.length)} changes`}
      >
        {(data) => (
          <>
            <Panel flush>
              <Table caption="Changes" rows={data.events} rowKey={(event) => event._id} columns={columns} />
            </Panel>
            <Pager
              previous={data.previous && address.to({ cursor: data.previous })}
              next={data.next && address.to({ cursor: data.next })}
            />
          </>
        )}
      </ListFrame>
    </>
  );
}

function subjectOf(address: Address) {
  return subjects.map(([name]) => name).find((name) => name === address.get("subject"));
}

const columns: Column<Event>[] = [
  { id: "at", heading: "When", cell: ({ at }) => <ExactMoment at={at} /> },
  {
    id: "who",
    heading: "Who",
    cell: (event) => (
      <>
        {event.who?.name ?? (event.role === "system" ? "The store" : "A closed account")}
        <span className="cell-2">{event.who?.email}</span>
      </>
    ),
  },
  {
    id: "what",
    heading: "What",
    cell: (event) => (
      <>
        <b>{`${event.subject === "purchase" ? "order" : event.subject} ${event.what.replace("_", " ")}`}</b>
        <span className="cell-2">
          {event.purchaseId ? (
            <Link className="link" to={`/dashboard/order/${event.purchaseId}`}>
              {event.about ?? event.purchaseId}
            </Link>
          ) : (
            (event.about ?? event.subjectId)
          )}
        </span>
      </>
    ),
  },
  {
    id: "change",
    heading: "Before and after",
    wide: true,
    cell: (event) =>
      wordsOfChange(event.before, event.after).map((line) => (
        <span className="cell-2" key={line}>
          {line}
        </span>
      )),
  },
  {
    id: "from",
    heading: "From",
    optional: true,
    cell: ({ ip, agent }) => (
      <>
        {ip ?? "–"}
        <span className="cell-2">{agent?.slice(0, 40)}</span>
      </>
    ),
  },
];

function Nothing({ address }: { address: Address }) {
  const filtered = address.get("q") || address.get("subject") || address.get("cursor");
  if (!filtered)
    return <EmptyState title="No history yet">A change stands here as soon as it happens.</EmptyState>;
  return (
    <EmptyState
      title="Nothing fits"
      action={
        <Button onClick={() => address.set({ q: undefined, subject: undefined })}>
          Show the whole history
        </Button>
      }
    >
      Look for a person, a tool, an order id, a transaction id or a reason.
    </EmptyState>
  );
}

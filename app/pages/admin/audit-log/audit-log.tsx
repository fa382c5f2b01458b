import { Link } from "react-router";
import type { Output } from "../../../../api/contract.ts";
import { DateTime } from "../../../components/date-time.tsx";
import { count } from "../../../components/format.ts";
import { pageTitle } from "../../../components/page-title.ts";
import { EmptyState } from "../../../components/states.tsx";
import type { Column } from "../../../components/table.tsx";
import { Tabs } from "../../../components/tabs.tsx";
import { useTimeZone } from "../../../data/time-zone.ts";
import { type ListParams, oneOf } from "../../../data/use-list-params.ts";
import { callerIn, listQuery } from "../../dashboard/require-session.ts";
import { ListPage, useList } from "../list-page.tsx";
import type { Route } from "./+types/audit-log.ts";
import { describeChange } from "./audit-log-labels.ts";
import { From, Who } from "./event-cells.tsx";

export const meta = () => pageTitle("Audit log");

type Event = Output<"listHistory">["events"][number];

const subjects = [
  ["purchase", "Orders"],
  ["payment", "Payments"],
  ["refund", "Refunds"],
  ["product", "Tools"],
  ["user", "Roles"],
  ["review", "Reviews"],
  ["synonym", "Synonyms"],
  ["note", "Notes"],
  ["picture", "Pictures"],
] as const;

function readSearch({ get }: Pick<ListParams, "get">) {
  const names = subjects.map(([name]) => name);
  return { q: get("q"), subject: oneOf(get("subject"), names) };
}

/** The audit log is written by database triggers and cannot be changed. */
export async function loader({ context, url }: Route.LoaderArgs) {
  return { history: await callerIn(context).call("listHistory", { query: listQuery(url, readSearch) }) };
}

export default function AuditLogPage({ loaderData }: Route.ComponentProps) {
  const list = useList(loaderData.history, readSearch);
  return (
    <ListPage
      {...list}
      title="Audit log"
      fact="Every change to orders, payments, tools and roles. Entries cannot be edited."
      exportPath="/history/export.csv"
      searchField={{ label: "Search the audit log", placeholder: "User, tool, id or reason" }}
      filter={
        <Tabs label="About" params={list.params} name="subject" items={[[undefined, "All"], ...subjects]} />
      }
      rows={(data) => data.events}
      noun="changes"
      caption="Changes"
      rowKey={(event) => event._id}
      className="tbl--history"
      columns={columns}
      noMatches={{
        title: "No matching results",
        showAll: "Show all entries",
        unfiltered: <EmptyState title="No entries yet">Changes appear here.</EmptyState>,
        children: "Search for a user, a tool, the number or id of an order, a transaction id or a reason.",
      }}
    />
  );
}

const nouns: Partial<Record<Event["subject"], string>> = { purchase: "Order", product: "Tool" };
/** labels that cannot be derived from the event */
const eventLabels: Record<string, string> = {
  "payment unmatched": "Payment does not match its order",
  "purchase shipment undone": "Shipment undone",
  "refund asked": "Refund requested",
  "refund done": "Refund completed",
  "refund failed": "Refund failed",
  "refund settled": "Refunded manually",
  "user role changed": "Role changed",
};

/** "Order placed", "Tool edited" */
function labelOf({ subject, what }: Event): string {
  const label = eventLabels[`${subject} ${what}`];
  if (label) return label;
  const noun = nouns[subject] ?? subject.charAt(0).toUpperCase() + subject.slice(1);
  return `${noun} ${what.replaceAll("_", " ")}`;
}

const columns: Column<Event>[] = [
  { heading: "When", cell: ({ at }) => <DateTime time at={at} /> },
  {
    heading: "Who",
    cell: ({ who, role }) => (
      <Who who={who} fallback={role === "system" ? "The store" : "A closed account"} />
    ),
  },
  {
    heading: "What",
    wide: true,
    cell: (event) => (
      <>
        <b>{labelOf(event)}</b>
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
  { heading: "Before and after", wide: true, cell: (event) => <Change event={event} /> },
  { heading: "From", optional: true, cell: ({ ip, agent }) => <From ip={ip} agent={agent} /> },
];

/** Only for added records: a new tool has more than a dozen values. All values of a change are shown. */
const FIRST_VALUES = 5;

function Change({ event: { before, after } }: { event: Event }) {
  const rest = describeChange(before, after, useTimeZone()).map((line) => (
    <span className="cell-2" key={line}>
      {line}
    </span>
  ));
  const first = rest.splice(0, before ? rest.length : FIRST_VALUES);
  return (
    <>
      {first}
      {rest.length > 1 ? (
        <details className="show-data">
          <summary>Show the other {count(rest.length)} values</summary>
          {rest}
        </details>
      ) : (
        rest
      )}
    </>
  );
}

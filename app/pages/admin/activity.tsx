import type { Answer } from "../../../api/contract.ts";
import { deviceNamed } from "../../account/device-name.ts";
import { pageTitle } from "../../page-title.ts";
import { Button } from "../../ui/button.tsx";
import { Moment } from "../../ui/moment.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { EmptyState } from "../../ui/states.tsx";
import type { Column } from "../../ui/table.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { useAddress } from "../../use-address.ts";
import { useCall } from "../../use-call.ts";
import { ListSearch, ListTable } from "./list-table.tsx";

export const meta = () => pageTitle("Activity");

type Event = Answer<"searchActivity">["events"][number];

/** Who came in, who was refused, and what was changed of accounts, newest first. */
export default function ActivityPage() {
  const address = useAddress();
  const kind = address.get("kind") === "refused" ? ("refused" as const) : undefined;
  const activity = useCall("searchActivity", {
    query: { q: address.get("q"), kind, cursor: address.get("cursor") },
  });
  return (
    <>
      <PageHead
        title="Activity"
        fact="Who logged in, who was refused, and what was changed about accounts. Kept for half a year."
      />
      <div className="listbar">
        <Tabs
          label="Kind"
          items={[
            { to: address.to({ kind: undefined }), label: "All", current: !kind },
            { to: address.to({ kind: "refused" }), label: "Refused", current: !!kind },
          ]}
        />
        <ListSearch
          address={address}
          label="Search the activity"
          placeholder="Person, address or what happened"
        />
      </div>
      <ListTable
        called={activity}
        address={address}
        rows={(data) => data.events}
        noun="events"
        caption="Events"
        rowKey={(event) => event._id}
        className="tbl--activity"
        columns={columns}
        pictures={false}
        empty={
          <EmptyState
            title="Nothing fits"
            action={
              <Button onClick={() => address.set({ q: undefined, kind: undefined })}>
                Show all activity
              </Button>
            }
          >
            Look for a name, an email, a network address, or a word such as passkey.
          </EmptyState>
        }
      />
    </>
  );
}

const columns: Column<Event>[] = [
  { id: "at", heading: "When", cell: ({ at }) => <Moment time at={at} /> },
  {
    id: "who",
    heading: "Account",
    wide: true,
    cell: ({ who }) => (
      <>
        <span className="cut block" title={who?.name}>
          {who?.name ?? "No account of this store"}
        </span>
        <span className="cell-2 cut" title={who?.email}>
          {who?.email}
        </span>
      </>
    ),
  },
  {
    id: "what",
    heading: "What",
    cell: ({ what, detail, call, by }) => (
      <>
        <b>{what}</b>
        <span className="cell-2" title={call}>
          {by ? `By ${by}` : detail}
        </span>
      </>
    ),
  },
  {
    id: "from",
    heading: "From",
    cell: ({ ip, agent }) => (
      <>
        {ip ?? "–"}
        <span className="cell-2">{ip && deviceNamed(agent)}</span>
      </>
    ),
  },
];

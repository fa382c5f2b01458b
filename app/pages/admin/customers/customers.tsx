import { Link } from "react-router";
import type { Customer } from "../../../../api/customer-calls.ts";
import { Badge } from "../../../components/chip.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { count, dollars } from "../../../components/format.ts";
import { initialsOf } from "../../../components/initials.ts";
import { pageTitle } from "../../../components/page-title.ts";
import { ParamSelect } from "../../../components/select.tsx";
import { EmptyState } from "../../../components/states.tsx";
import type { Column } from "../../../components/table.tsx";
import { type ListParams, oneOf } from "../../../data/use-list-params.ts";
import { callerIn, listQuery } from "../../dashboard/require-session.ts";
import { ListPage, useList } from "../list-page.tsx";
import "../../../styles/customers.css";
import type { Route } from "./+types/customers.ts";

export const meta = () => pageTitle("Customers");

/** Value and label; the first is the default. */
const sorts = [
  ["recent", "Last order"],
  ["name", "Name"],
  ["orders", "Most orders"],
  ["revenue", "Most revenue"],
] as const;

function readSearch({ get }: Pick<ListParams, "get">) {
  return {
    q: get("q"),
    filter: oneOf(get("filter"), ["quiet", "closed"]),
    sort: sorts.find(([name]) => name === get("sort"))?.[0],
  };
}

export async function loader({ context, url }: Route.LoaderArgs) {
  return {
    customers: await callerIn(context).call("searchCustomers", { query: listQuery(url, readSearch) }),
  };
}

export default function CustomersPage({ loaderData }: Route.ComponentProps) {
  const list = useList(loaderData.customers, readSearch);
  const counts = list.loaded.data?.counts;
  return (
    <ListPage
      {...list}
      title="Customers"
      fact="Orders, revenue and the last order of every account."
      exportPath="/admin/customers/export.csv"
      searchField={{ label: "Search customers", placeholder: "Name, email, order or PO number" }}
      order={<ParamSelect params={list.params} name="sort" aria-label="Sort" options={sorts} />}
      tabs={{
        label: "Customers",
        name: "filter",
        items: [
          [undefined, "All", counts?.all],
          ["quiet", "No order in 90 days", counts?.quiet],
          ["closed", "Closed", counts?.closed],
        ],
      }}
      rows={(data) => data.customers}
      noun="customers"
      caption="Customers"
      className="tbl--customers"
      rowKey={(customer) => customer._id}
      columns={columns}
      noMatches={{
        title: "No matching customers",
        showAll: "Show all customers",
        drawing: false,
        unfiltered: <EmptyState title="No customers yet">Accounts appear here.</EmptyState>,
        children: "Search for a part of the name or the email, or for the number of an order or a PO.",
      }}
    />
  );
}

const columns: Column<Customer>[] = [
  {
    heading: "Customer",
    kind: "lead",
    cell: ({ _id, name, email, closed }) => (
      <div className="item">
        <span className="initials" aria-hidden="true">
          {initialsOf(name)}
        </span>
        <div>
          <b>
            <Link
              className="row-link row-link--underlined"
              to={`/dashboard/customers/${_id}`}
              prefetch="intent"
            >
              {name}
            </Link>
            {closed && <Badge>Closed</Badge>}
          </b>
          {name !== email && <small>{email}</small>}
        </div>
      </div>
    ),
  },
  { heading: "Orders", kind: "figure", cell: ({ orders }) => count(orders) },
  { heading: "Revenue", kind: "strong", cell: ({ revenue }) => dollars(revenue) },
  {
    heading: "Last order",
    cell: ({ lastOrderAt }) =>
      lastOrderAt ? <DateTime at={lastOrderAt} /> : <span className="soft">none</span>,
  },
];

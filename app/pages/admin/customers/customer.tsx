import { data } from "react-router";
import type { Output } from "../../../../api/contract.ts";
import type { Outcome } from "../../../../api/outcome.ts";
import { Breadcrumbs } from "../../../components/breadcrumbs.tsx";
import { ButtonLink } from "../../../components/button.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { PageHead } from "../../../components/page-head.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import { NotFoundPanel, QueryBoundary } from "../../../components/query-boundary.tsx";
import { useLoaderResult } from "../../../data/use-loader-result.ts";
import { useRevalidateOnReturn } from "../../../data/use-on-return.ts";
import { callerIn } from "../../dashboard/require-session.ts";
import { NotesPanel } from "../notes-panel.tsx";
import { RevenueChart } from "../reports/revenue-chart.tsx";
import "../../../styles/customers.css";
import type { Route } from "./+types/customer.ts";
import { AccountPanel } from "./account-panel.tsx";
import {
  AddressesPanel,
  CustomerFigures,
  type CustomerProps,
  customerOrdersPath,
  OrdersPanel,
  ReviewsPanel,
} from "./customer-panels.tsx";

export const meta = () => pageTitle("Customer");

export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const caller = callerIn(context);
  const customer = await caller.call("findCustomer", { params: { id }, query: { zone: caller.zone } });
  return data({ customer }, customer.ok ? 200 : customer.status);
}

export default function CustomerPage({ loaderData, params: { id } }: Route.ComponentProps) {
  return <LoadedCustomer key={id} id={id} outcome={loaderData.customer} />;
}

interface LoadedCustomerProps {
  id: string;
  outcome: Outcome<Output<"findCustomer">>;
}

/** Figures, revenue, orders and notes; account, addresses and reviews in the side column. */
function LoadedCustomer({ id, outcome }: LoadedCustomerProps) {
  const loaded = useLoaderResult(outcome);
  useRevalidateOnReturn();
  const name = loaded.data?.name ?? "Customer";
  return (
    <>
      <Breadcrumbs items={[{ label: "Customers", to: "/dashboard/customers" }, { label: name }]} />
      <PageHead
        title={name}
        fact={loaded.data && <CustomerSince customer={loaded.data} />}
        action={
          loaded.data && (
            <div className="acts no-print">
              <ButtonLink icon="rows" to={customerOrdersPath(loaded.data)}>
                All orders
              </ButtonLink>
              <a className="btn btn--line" href={`mailto:${encodeURIComponent(loaded.data.email)}`}>
                <span className="btn__label">Send email</span>
              </a>
            </div>
          )
        }
      />
      <QueryBoundary
        loaded={loaded}
        failed="The customer could not be loaded."
        refused={(reason) => (
          <NotFoundPanel
            title="No such customer"
            back={{ label: "Back to Customers", to: "/dashboard/customers" }}
            reason={reason}
          />
        )}
      >
        {(customer) => (
          <>
            <CustomerFigures customer={customer} />
            <div className="order-page">
              <div>
                <RevenueChart points={customer.months} period="months" />
                <OrdersPanel customer={customer} />
                <NotesPanel
                  notes={customer.notes}
                  add="addCustomerNote"
                  id={id}
                  onChange={(update) =>
                    loaded.change((current) => ({ ...current, notes: update(current.notes) }))
                  }
                />
              </div>
              <div>
                <AccountPanel customer={customer} onChanged={loaded.reload} />
                <AddressesPanel customer={customer} />
                <ReviewsPanel customer={customer} />
              </div>
            </div>
          </>
        )}
      </QueryBoundary>
    </>
  );
}

function CustomerSince({ customer: { name, email, since } }: CustomerProps) {
  return (
    <>
      {name !== email && `${email}. `}Customer since <DateTime at={since} />.
    </>
  );
}

import { Link } from "react-router";
import type { Output } from "../../../../api/contract.ts";
import { Button } from "../../../components/button.tsx";
import { DateTime } from "../../../components/date-time.tsx";
import { count } from "../../../components/format.ts";
import { Icon } from "../../../components/icon.tsx";
import { Notice } from "../../../components/notice.tsx";
import { PageHead } from "../../../components/page-head.tsx";
import { pageTitle } from "../../../components/page-title.ts";
import { Panel } from "../../../components/panel.tsx";
import { QueryBoundary } from "../../../components/query-boundary.tsx";
import { Spinner } from "../../../components/spinner.tsx";
import { useFocusAfterRemoval } from "../../../components/use-focus-after-removal.ts";
import { callerIn } from "../../dashboard/require-session.ts";
import { ExportLink } from "../export-link.tsx";
import { FailedRefundActions } from "../orders/failed-refund-actions.tsx";
import type { Route } from "./+types/reconciliation.ts";
import { useReconciliation } from "./use-reconciliation.ts";

export const meta = () => pageTitle("Reconciliation");

type Report = Output<"reconcile">;

export async function loader({ context }: Route.LoaderArgs) {
  return { report: await callerIn(context).call("reconcile", { query: { wait: 0 } }) };
}

/** The last report, then a new one: each check with its discrepancies. */
export default function ReconciliationPage({ loaderData }: Route.ComponentProps) {
  const loaded = useReconciliation(loaderData.report);
  const { data, loading, reload } = loaded;
  const report = data?.claims.length ? data : null;
  useFocusAfterRemoval(String(report?.faults.map(({ refundId }) => refundId)));
  return (
    <>
      <PageHead
        title="Reconciliation"
        fact={report && <Verdict report={report} />}
        action={
          report && (
            <div className="acts">
              <ExportLink path="/books/export.csv" />
              <Button icon="retry" busy={loading || report.running} onClick={reload}>
                Run again
              </Button>
            </div>
          )
        }
      />
      <p className="vh" role="status">
        {report && !report.running && verdictText(report.faults.length)}
      </p>
      <QueryBoundary loaded={loaded}>
        {(loadedReport) =>
          loadedReport.claims.length > 0 ? (
            <Checks report={loadedReport} onChanged={reload} />
          ) : (
            <Spinner label="Reconciling with the payment provider" />
          )
        }
      </QueryBoundary>
    </>
  );
}

function Verdict({ report: { faults: discrepancies, checkedAt, running } }: { report: Report }) {
  return (
    <>
      {`${verdictText(discrepancies.length)} Last checked `}
      <DateTime time at={checkedAt} />
      {running ? ", running again…" : "."}
    </>
  );
}

function verdictText(total: number): string {
  if (total === 0) return "All checks passed.";
  return total === 1 ? "1 discrepancy." : `${count(total)} discrepancies.`;
}

interface ChecksProps {
  report: Report;
  /** called after a discrepancy was resolved */
  onChanged: () => void;
}

/** Failed checks come first with their discrepancies. */
function Checks({ report: { claims: checks, faults: discrepancies }, onChanged }: ChecksProps) {
  const discrepanciesOf = (check: string) =>
    discrepancies.filter((discrepancy) => discrepancy.claim === check);
  const failed = checks.filter((check) => discrepanciesOf(check).length > 0);
  const passed = checks.filter((check) => !failed.includes(check));
  return (
    <div className="reconciliation">
      {failed.length > 0 && (
        <>
          <Notice kind="warn" icon="alert">
            On the server, <code className="nowrap">npm run doctor -- --repair</code> fixes unambiguous
            problems. The rest need review.
          </Notice>
          <Panel title="Discrepancies" strong>
            <ul className="claims claims--broken">
              {failed.map((check) => (
                <li key={check}>
                  <Icon name="alert" />
                  <b>
                    <span className="vh">Failed: </span>
                    {check}
                  </b>
                  <FailedCheck discrepancies={discrepanciesOf(check)} onChanged={onChanged} />
                </li>
              ))}
            </ul>
          </Panel>
        </>
      )}
      <Panel title={failed.length > 0 && "Passed"}>
        <ul className="claims">
          {passed.map((check) => (
            <li key={check}>
              <Icon name="check" />
              <span>
                <span className="vh">Passed: </span>
                {check}
              </span>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}

const SHOWN = 10;

interface DiscrepanciesProps {
  discrepancies: Report["faults"];
  onChanged: () => void;
}

/** The first ones; the others on demand, since a check can have a hundred. */
function FailedCheck({ discrepancies, onChanged }: DiscrepanciesProps) {
  const more = discrepancies.length - SHOWN;
  if (more <= 1) return <Discrepancies discrepancies={discrepancies} onChanged={onChanged} />;
  return (
    <>
      <Discrepancies discrepancies={discrepancies.slice(0, SHOWN)} onChanged={onChanged} />
      <details className="show-data">
        <summary>{more} more</summary>
        <Discrepancies discrepancies={discrepancies.slice(SHOWN)} onChanged={onChanged} />
      </details>
    </>
  );
}

function Discrepancies({ discrepancies, onChanged }: DiscrepanciesProps) {
  return (
    <ul>
      {discrepancies.map(({ detail, purchaseId, refundId }) => (
        <li key={detail}>
          <p>
            {detail}{" "}
            {purchaseId && (
              <Link className="link nowrap" to={`/dashboard/order/${purchaseId}`}>
                View order
              </Link>
            )}
          </p>
          {refundId && <FailedRefundActions refundId={refundId} onChanged={onChanged} />}
        </li>
      ))}
    </ul>
  );
}

import type { ReactNode } from "react";
import type { Failure } from "../../api/outcome.ts";
import { loginRefusals } from "../../shop/texts/login-refusals.ts";
import type { LoaderResult } from "../data/use-loader-result.ts";
import { ButtonLink } from "./button.tsx";
import { EmptyState, ErrorState } from "./states.tsx";

interface QueryBoundaryProps<Value> {
  loaded: LoaderResult<Value>;
  /** shown before the reason of a failure: "Your account could not be loaded." */
  failed?: string | undefined;
  /** shown for a refusal, which a retry does not change */
  refused?: ((reason: string) => ReactNode) | undefined;
  children: (data: Value) => ReactNode;
}

/** Loaded data, or its failure with Try again. Earlier data stays below a failure. */
export function QueryBoundary<Value>({ loaded, failed, refused, children }: QueryBoundaryProps<Value>) {
  const { data, failure, loading, attempt, reload } = loaded;
  if (failure?.code === "second_factor_missing") return <TwoFactorRequired />;
  if (failure && refused && isRefusal(failure)) return refused(failure.detail);
  return (
    <>
      {failure && (
        <ErrorState onRetry={reload} busy={loading}>
          {/* a new element per failure, so that a screen reader repeats the text */}
          <span key={attempt}>{[failed, failure.detail].join(" ").trim()}</span>
        </ErrorState>
      )}
      {data !== undefined && children(data)}
    </>
  );
}

interface NotFoundPanelProps {
  title: string;
  /** where to go from here */
  back: { label: string; to: string };
  reason: string;
}

/** For `refused`: the record of this URL does not exist. */
export function NotFoundPanel({ title, back, reason }: NotFoundPanelProps) {
  return (
    <div className="panel">
      <EmptyState title={title} action={<ButtonLink to={back.to}>{back.label}</ButtonLink>}>
        {reason}
      </EmptyState>
    </div>
  );
}

/** Not a failure: links to where an admin can confirm the second factor. */
function TwoFactorRequired() {
  return (
    <div className="panel">
      <EmptyState
        title="Two-factor authentication required"
        drawing={false}
        action={
          <ButtonLink look="primary" to="/dashboard/account#second-factor">
            Go to Account
          </ButtonLink>
        }
      >
        {loginRefusals.secondFactorFirst}
      </EmptyState>
    </div>
  );
}

/** Timeouts and rate limits say nothing about the data itself. */
function isRefusal({ status }: Failure): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

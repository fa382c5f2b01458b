import type { ReactNode } from "react";
import type { Failure } from "../../api/outcome.ts";
import { loginRefusals } from "../../shop/texts/login-refusals.ts";
import type { LoaderResult } from "../data/use-loader-result.ts";
import { ButtonLink } from "./button.tsx";
import { EmptyState, ErrorState } from "./states.tsx";

interface CallFrameProps<Value> {
  loaded: LoaderResult<Value>;
  /** shown before the reason of a failure: "Your account could not be loaded." */
  failed?: string;
  /** shown when the store refuses, which trying again does not change */
  refused?: (reason: string) => ReactNode;
  children: (data: Value) => ReactNode;
}

/** What a loader brought, or its failure with a way to try again. What was there before stays below a failure. */
export function QueryBoundary<Value>({ loaded, failed, refused, children }: CallFrameProps<Value>) {
  const { data, failure, loading, turn, reload } = loaded;
  if (failure?.detail === loginRefusals.secondFactorFirst) return <TwoFactorRequired />;
  if (failure && refused && isRefusal(failure)) return refused(failure.detail);
  return (
    <>
      {failure && (
        <ErrorState onRetry={reload} busy={loading}>
          {/* another element after each failure, so that a screen reader announces the same words again */}
          <span key={turn}>{[failed, failure.detail].join(" ").trim()}</span>
        </ErrorState>
      )}
      {data !== undefined && children(data)}
    </>
  );
}

/** Nothing failed, and trying again changes nothing: an admin is led to where the second factor is given. */
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

/** Asked too often, or too slowly, is no answer about the thing itself. */
function isRefusal({ status }: Failure): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

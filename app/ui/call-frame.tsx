import type { ReactNode } from "react";
import { loginRefusals } from "../../shop/users/refusals.ts";
import type { Failure } from "../api-client.ts";
import type { Called } from "../use-call.ts";
import { ButtonLink } from "./button.tsx";
import { EmptyState, ErrorState } from "./states.tsx";

interface CallFrameProps<Value> {
  called: Called<Value>;
  /** a spinner or a skeleton, until there is a first answer */
  waiting: ReactNode;
  /** said before the reason of a failure: "Your account could not be loaded." */
  failed?: string;
  /** what stands there when the store refuses, which trying again does not change */
  refused?: (reason: string) => ReactNode;
  children: (data: Value) => ReactNode;
}

/**
 * What a call answers: the wait for it, its failure with a way to try again, or what is made of it. What was there
 * before stays below a failure.
 */
export function CallFrame<Value>({ called, waiting, failed, refused, children }: CallFrameProps<Value>) {
  const { data, failure, reload } = called;
  if (failure?.detail === loginRefusals.secondFactorFirst) return <SecondFactorFirst />;
  if (failure && refused && isRefusal(failure)) return refused(failure.detail);
  if (!failure && data === undefined) return waiting;
  return (
    <>
      {failure && <ErrorState onRetry={reload}>{[failed, failure.detail].join(" ").trim()}</ErrorState>}
      {data !== undefined && children(data)}
    </>
  );
}

/** Nothing failed, and trying again changes nothing: an admin is led to where the second factor is given. */
function SecondFactorFirst() {
  return (
    <div className="panel">
      <EmptyState
        title="A second factor first"
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

import type { ReactNode } from "react";
import type { Failure } from "../api-client.ts";
import type { Called } from "../use-call.ts";
import { ErrorState } from "./states.tsx";

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

/** What a call answers: the wait for it, its failure with a way to try again, or what is made of it. */
export function CallFrame<Value>({ called, waiting, failed, refused, children }: CallFrameProps<Value>) {
  const { data, failure, reload } = called;
  if (failure && refused && isRefusal(failure)) return refused(failure.detail);
  if (failure) return <ErrorState onRetry={reload}>{[failed, failure.detail].join(" ").trim()}</ErrorState>;
  return data === undefined ? waiting : children(data);
}

/** Asked too often, or too slowly, is no answer about the thing itself. */
function isRefusal({ status }: Failure): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

import { useCallback } from "react";
import { useLocation, useNavigation, useSearchParams } from "react-router";

export interface ListParams {
  get: (name: string) => string | undefined;
  /** sets parameters, or removes them (undefined), and returns to the first page */
  set: (members: Record<string, string | undefined>, options?: { replace?: boolean }) => void;
  /** the same page with other parameters, for a link; those of another page of the list are of the list shown */
  to: (members: Record<string, string | undefined>) => string;
}

/** A parameter of the URL; a blank one filters nothing. */
export function readParam(params: URLSearchParams, name: string): string | undefined {
  const value = params.get(name) ?? "";
  return value.trim() === "" ? undefined : value;
}

/** The value, if it is one of `values`: the URL may contain any text. */
export function oneOf<Value extends string>(
  value: string | undefined,
  values: readonly Value[],
): Value | undefined {
  return values.find((one) => one === value);
}

/** The state of a list, kept in the URL: it survives a reload and can be shared. */
export function useListParams(): ListParams {
  const [params, setParams] = useSearchParams();
  const { pathname } = useLocation();
  const next = useNavigation().location;
  // a second change may come before the page of the first is loaded
  const pending = next?.pathname === pathname ? next.search : undefined;

  const set = useCallback<ListParams["set"]>(
    (members, { replace = false } = {}) =>
      setParams((before) => changed(pending ?? before, members), { replace, preventScrollReset: true }),
    [setParams, pending],
  );
  return {
    get: (name) => readParam(params, name),
    set,
    to: (members) => `?${changed(members.cursor || members.after ? params : (pending ?? params), members)}`,
  };
}

function changed(
  before: URLSearchParams | string,
  members: Record<string, string | undefined>,
): URLSearchParams {
  const after = new URLSearchParams(before);
  after.delete("cursor");
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined || value === "") after.delete(name);
    else after.set(name, value);
  }
  return after;
}

import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import type { SavedList, SavedListLine } from "../../../api/list-calls.ts";
import type { Failure } from "../../../api/outcome.ts";
import { toast } from "../../components/toast.ts";
import { call, isDecided, newKey } from "../../data/api-client.ts";
import { checkConnection, whenReconnected } from "../../data/connection.ts";
import { applyChanges, isEqual } from "../../data/merge-carts.ts";
import { useSessionExpired } from "../../data/use-session-expired.ts";

interface ListContent {
  name: string;
  lines: readonly SavedListLine[];
}

/** `refused`: sent again after the next change; `deleted`: in another tab or on another device */
type SavingState = "saved" | "saving" | "offline" | "refused" | "deleted";

export interface EditedList extends ListContent {
  state: SavingState;
  /** why the store refused the last save */
  refusal: string | undefined;
  /** ISO time of the last saved change */
  changedAt: string;
  change: (update: (now: ListContent) => ListContent) => void;
  /** saves now; true if nothing is left to save */
  flush: () => Promise<boolean>;
  isSaved: () => boolean;
}

const PAUSE_MS = 400;
const RETRY_MS = 5000;

/** Changes are saved after a pause and merged with those of other tabs; of the same line, the later one wins. */
export function useSavedList(loaded: SavedList): EditedList {
  const saved = useRef(loaded);
  const mine = useRef<ListContent>(loaded);
  /** what may have been saved although its response was lost */
  const undecided = useRef<{ body: ListContent & { version: number }; key: string } | null>(null);
  const [shown, setShown] = useState<ListContent>(loaded);
  const [state, setState] = useState<SavingState>("saved");
  const [refusal, setRefusal] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const running = useRef<Promise<void> | null>(null);
  const unmount = useRef<AbortController | null>(null);
  const endSession = useSessionExpired();

  const show = useCallback((content: ListContent) => {
    mine.current = content;
    setShown(content);
  }, []);

  const isSaved = useCallback(() => !undecided.current && isSame(mine.current, saved.current), []);

  /** Takes over the server's list, merged with the local changes. */
  const receive = useCallback(
    (theirs: SavedList) => {
      const base = saved.current;
      const { name, lines } = mine.current;
      saved.current = theirs;
      if (isSame(mine.current, base) || isSame(mine.current, theirs)) return show(theirs);
      show({
        name: name === base.name ? theirs.name : name,
        lines: applyChanges(base.lines, lines, theirs.lines),
      });
      toast.info("This list was also changed elsewhere. Both changes are kept.");
    },
    [show],
  );

  const onFailure = useEffectEvent(async ({ status, detail }: Failure) => {
    if (status === 404) return setState("deleted");
    if (status === 403 || status === 413 || status === 422) {
      setRefusal(detail);
      return setState("refused");
    }
    setState("offline");
    if (status === 401) return endSession();
    const signal = unmount.current?.signal;
    if (!signal || signal.aborted) return;
    if (await checkConnection()) timer.current = setTimeout(() => void save(), RETRY_MS);
    else
      await whenReconnected(signal).then(
        () => void save(),
        () => undefined, // the page was left
      );
  });

  async function sendChanges(): Promise<void> {
    while (!isSaved()) {
      setState("saving");
      const { name, lines } = mine.current;
      const { _id: id, version } = saved.current;
      // a save without a response is repeated first: a later change that reverts it would look like no change
      const sent = undecided.current ?? { body: { version, name, lines }, key: newKey() };
      undecided.current = sent;
      const body = { ...sent.body, lines: [...sent.body.lines] };
      const response = await call("saveSavedList", { params: { id }, body }, undefined, sent.key);
      if (isDecided(response)) undecided.current = null;
      if (response.ok) saved.current = { ...response.data, lines: body.lines };
      else if (response.status === 409 && response.present) receive(response.present as unknown as SavedList);
      // not awaited: it may wait for the connection
      else return void onFailure(response);
    }
    setRefusal(undefined);
    setState("saved");
  }

  const save = useEffectEvent((): Promise<void> => {
    clearTimeout(timer.current);
    running.current ??= sendChanges().finally(() => {
      running.current = null;
    });
    return running.current;
  });

  const change = useCallback(
    (update: (now: ListContent) => ListContent) => {
      show(update(mine.current));
      if (isSaved()) return;
      setState((now) => (now === "deleted" ? now : "saving"));
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void save(), PAUSE_MS);
    },
    [show, isSaved],
  );

  // the page's data was reloaded
  useEffect(() => {
    if (loaded.version > saved.current.version && !undecided.current) receive(loaded);
  }, [loaded, receive]);

  useEffect(() => {
    const controller = new AbortController();
    unmount.current = controller;
    // a phone may end a hidden page without another event
    const onHide = () => document.visibilityState === "hidden" && !isSaved() && void save();
    document.addEventListener("visibilitychange", onHide, controller);
    return () => {
      controller.abort();
      clearTimeout(timer.current);
    };
  }, [isSaved]);

  const flush = async () => {
    await save();
    return isSaved();
  };
  return { ...shown, state, refusal, changedAt: saved.current.changedAt, change, flush, isSaved };
}

function isSame(one: ListContent, other: ListContent): boolean {
  return one.name === other.name && isEqual(one.lines, other.lines);
}

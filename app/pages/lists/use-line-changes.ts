import { useMemo, useRef } from "react";
import type { SavedListLine } from "../../../api/list-calls.ts";
import { applyChanges } from "../../data/merge-carts.ts";
import type { EditedList } from "./use-saved-list.ts";

type Lines = readonly SavedListLine[];

interface UndoStep {
  before: Lines;
  after: Lines;
}

const MAX_STEPS = 100;

/** Changes the lines of a list, with undo. An undo keeps what was changed since, here or in another tab. */
export function useLineChanges(changeList: EditedList["change"]) {
  const past = useRef<UndoStep[]>([]);
  const future = useRef<UndoStep[]>([]);

  return useMemo(() => {
    function apply(update: (lines: Lines) => Lines): UndoStep {
      let step: UndoStep = { before: [], after: [] };
      changeList((now) => {
        step = { before: now.lines, after: update(now.lines) };
        return { ...now, lines: step.after };
      });
      return step;
    }

    /** Changes the lines, as one undo step. */
    function change(update: (lines: Lines) => Lines): UndoStep {
      const step = apply(update);
      past.current = [...past.current, step].slice(-MAX_STEPS);
      future.current = [];
      return step;
    }

    const inverse =
      ({ before, after }: UndoStep) =>
      (lines: Lines) =>
        applyChanges(after, before, lines);

    const moveStep = (from: typeof past, to: typeof past) => {
      const step = from.current.pop();
      if (step) to.current.push(apply(inverse(step)));
    };

    return {
      change,
      /** reverts an earlier step, as one undo step */
      revert: (step: UndoStep) => change(inverse(step)),
      undo: () => moveStep(past, future),
      redo: () => moveStep(future, past),
    };
  }, [changeList]);
}

import { useMemo } from "react";
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
  return useMemo(() => {
    let past: UndoStep[] = [];
    let future: UndoStep[] = [];

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
      past = [...past, step].slice(-MAX_STEPS);
      future = [];
      return step;
    }

    const inverse =
      ({ before, after }: UndoStep) =>
      (lines: Lines) =>
        applyChanges(after, before, lines);

    return {
      change,
      /** reverts an earlier step, as one undo step */
      revert: (step: UndoStep) => change(inverse(step)),
      undo() {
        const step = past.pop();
        if (step) future.push(apply(inverse(step)));
      },
      redo() {
        const step = future.pop();
        if (step) past.push(apply(inverse(step)));
      },
    };
  }, [changeList]);
}

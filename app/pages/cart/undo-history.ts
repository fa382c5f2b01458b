const MAX_STEPS = 100;

type Change<Rows> = (rows: Rows) => Rows;

export interface UndoStep<Rows> {
  before: Rows;
  after: Rows;
}

/** Undo and redo. `apply` makes a change at once; `inverse` reverts a step, and keeps what was changed since. */
export function undoHistory<Rows>(
  apply: (change: Change<Rows>) => UndoStep<Rows>,
  inverse: (step: UndoStep<Rows>) => Change<Rows>,
) {
  const past: UndoStep<Rows>[] = [];
  const future: UndoStep<Rows>[] = [];

  /** Makes a change, as one undo step. */
  function change(update: Change<Rows>): UndoStep<Rows> {
    const step = apply(update);
    past.push(step);
    if (past.length > MAX_STEPS) past.shift();
    future.length = 0;
    return step;
  }

  function moveStep(from: typeof past, to: typeof past) {
    const step = from.pop();
    if (step) to.push(apply(inverse(step)));
  }

  return {
    change,
    /** reverts an earlier step, as one undo step */
    revert: (step: UndoStep<Rows>) => change(inverse(step)),
    undo: () => moveStep(past, future),
    redo: () => moveStep(future, past),
    canUndo: () => past.length > 0,
  };
}

import { useState } from "react";
import { useNavigate } from "react-router";
import type { Product } from "../../../../api/entities.ts";
import { toast } from "../../../components/toast.ts";
import type { AddProblem } from "./add-row.tsx";

/** A quantity and Add. The list around them handles the events (useAdding). */
export function AddField({ tool, problem }: { tool: Product; problem: AddProblem | null }) {
  const isWrong = problem?.productId === tool._id;
  return (
    <span className="add not-for-admin" data-add={tool._id}>
      <input
        inputMode="numeric"
        autoComplete="off"
        form="none" // not part of the filter form, which Enter would submit
        defaultValue={tool.minimum_order}
        aria-label={`Quantity, ${tool.name}`}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? PROBLEM_ID : undefined}
      />
      <button type="button" aria-label={`Add ${tool.name} to cart`}>
        Add
      </button>
    </span>
  );
}

/** The id of the note under a row. */
const PROBLEM_ID = "add-problem";

/** Adds products of a list to the cart, by Add or by Enter in a field; Enter also moves to the next field. */
export function useAdding(tools: Product[]) {
  const [problem, setProblem] = useState<AddProblem | null>(null);
  const navigate = useNavigate();
  const openCart = () => void navigate("/cart");

  async function add(field: HTMLInputElement, moveToNext: boolean) {
    const tool = tools.find(({ _id }) => _id === field.parentElement?.dataset.add);
    const addRowModule = await import("./add-row.tsx").catch(() => null);
    if (!addRowModule)
      return toast.error("The cart could not be loaded. Check the connection and try again.");
    const newProblem = tool
      ? addRowModule.addRow(tool, field.value, {
          noteId: PROBLEM_ID,
          openCart,
          setQuantity: setQuantityOf(field),
        })
      : null;
    setProblem(newProblem);
    if (newProblem) field.focus();
    else if (moveToNext) moveFocus(field, 1);
  }

  const setQuantityOf = (field: HTMLInputElement) => (quantity: number) => {
    field.value = String(quantity);
    field.focus();
    void add(field, false);
  };

  return {
    problem,
    onClick(event: { target: EventTarget; detail: number }) {
      if (event.detail > 1) return; // the second press of a double click
      const field = fieldOfButton(event.target);
      if (field) void add(field, false);
    },
    onEnter(field: HTMLInputElement) {
      void add(field, true);
    },
  };
}

/** The quantity field of a pressed Add. */
function fieldOfButton(target: EventTarget): HTMLInputElement | null {
  const button = target instanceof Element ? target.closest(".add > button") : null;
  return button?.parentElement?.querySelector("input") ?? null;
}

/** Moves the focus to the next quantity field or link of the list. Returns whether there was one. */
export function moveFocus(from: HTMLElement, step: number): boolean {
  const kind = from.matches(".add > input") ? ".add > input" : "a.btn";
  const all = [...(from.closest("#results")?.querySelectorAll<HTMLElement>(kind) ?? [])];
  const next = all[all.indexOf(from) + step];
  next?.focus();
  if (next instanceof HTMLInputElement) next.select();
  return next !== undefined;
}

import { type ComponentProps, type ReactNode, useId } from "react";

interface StepProps {
  title: string;
  hint: string;
  children: ReactNode;
}

/** A section of the checkout: its title on the left, its fields on the right. */
export function Step({ title, hint, children }: StepProps) {
  const heading = useId();
  return (
    <section className="step" aria-labelledby={heading}>
      <div>
        <h2 className="t-h3" id={heading}>
          {title}
        </h2>
        <p>{hint}</p>
      </div>
      <div>{children}</div>
    </section>
  );
}

interface RadioOptionProps extends Omit<ComponentProps<"input">, "title" | "children"> {
  title: string;
  children?: ReactNode;
}

export function RadioOption({ title, children, ...input }: RadioOptionProps) {
  return (
    <label className="choice">
      <input type="radio" {...input} />
      <b>{title}</b>
      {children && <span>{children}</span>}
    </label>
  );
}

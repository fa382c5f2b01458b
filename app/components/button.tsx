import type { ComponentProps, ReactNode } from "react";
import { Link, type LinkProps } from "react-router";
import { classNames } from "./class-names.ts";
import { Icon, type IconName } from "./icon.tsx";
import { RotorMark } from "./spinner.tsx";

interface Look {
  /** `primary` is the one orange action of an object; `danger-solid` only inside a confirm dialog */
  look?: "primary" | "ink" | "line" | "danger" | "danger-solid" | "quiet";
  size?: "sm" | "md" | "lg";
  block?: boolean;
  icon?: IconName;
  children: ReactNode;
}

interface ButtonProps extends Look, Omit<ComponentProps<"button">, "children"> {
  /** the action is running: the label stays, a spinner turns, presses are ignored */
  busy?: boolean;
}

export function Button({
  look,
  size,
  block,
  icon,
  busy,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(buttonClass({ look, size, block }), busy && "is-busy", className)}
      aria-busy={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    >
      <ButtonContent icon={icon} busy={busy}>
        {children}
      </ButtonContent>
    </button>
  );
}

interface ButtonLinkProps extends Look, Omit<LinkProps, "children"> {
  /** the press waits for something: the label stays, a spinner turns */
  busy?: boolean;
}

/** The page is prefetched on hover or focus. */
export function ButtonLink({ look, size, block, icon, busy, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link
      prefetch="intent"
      {...rest}
      className={classNames(buttonClass({ look, size, block }), busy && "is-busy", className)}
      aria-busy={busy || undefined}
    >
      <ButtonContent icon={icon} busy={busy}>
        {children}
      </ButtonContent>
    </Link>
  );
}

interface ButtonContentProps {
  icon: IconName | undefined;
  busy: boolean | undefined;
  children: ReactNode;
}

function ButtonContent({ icon, busy, children }: ButtonContentProps) {
  return (
    <>
      {busy && <RotorMark className="spin spin--sm" />}
      {!busy && icon && <Icon name={icon} />}
      <span className={busy && !icon ? "btn__label is-aside" : "btn__label"}>{children}</span>
    </>
  );
}

interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  icon: IconName;
  /** the action and its object: "Dismiss", "Copy the transaction id" */
  label: string;
}

/** The label is the accessible name and the tooltip. */
export function IconButton({ icon, label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames("icon-btn", className)}
      aria-label={label}
      title={label}
    >
      <Icon name={icon} />
    </button>
  );
}

function buttonClass({
  look = "line",
  size = "md",
  block,
}: { [Key in "look" | "size" | "block"]: Look[Key] | undefined }) {
  return classNames("btn", `btn--${look}`, size !== "md" && `btn--${size}`, block && "btn--block");
}

import type { ComponentProps } from "react";
import type { ListParams } from "../data/use-list-params.ts";

interface SelectProps extends Omit<ComponentProps<"select">, "children"> {
  /** value and label */
  options: readonly (readonly [string, string])[];
}

export function Select({ options, ...rest }: SelectProps) {
  return (
    <select className="input" {...rest}>
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

interface ParamSelectProps extends Omit<SelectProps, "name"> {
  params: ListParams;
  name: string;
}

/** Chooses a parameter of the URL, which does not contain the first option: that is the default. */
export function ParamSelect({ params, name, options, ...rest }: ParamSelectProps) {
  const defaultValue = options[0]?.[0];
  const chosen = options.find(([value]) => value === params.get(name))?.[0] ?? defaultValue;
  return (
    <Select
      {...rest}
      options={options}
      value={chosen}
      onChange={({ target: { value } }) => params.set({ [name]: value === defaultValue ? undefined : value })}
    />
  );
}

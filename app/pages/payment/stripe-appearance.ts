import type { Appearance } from "@stripe/stripe-js";

/** Our token colours as computed by the browser, for an iframe without our stylesheet. */
export function stripeAppearance(near: HTMLElement): Appearance {
  const colourOf = (className: string) => {
    const probe = document.createElement("span");
    probe.className = className;
    near.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  const paper = getComputedStyle(near.closest(".panel") ?? document.body).backgroundColor;
  const ink = getComputedStyle(near).color;
  return {
    theme: "flat",
    variables: {
      colorPrimary: ink,
      colorText: ink,
      colorTextSecondary: colourOf("muted"),
      colorTextPlaceholder: colourOf("muted"),
      colorBackground: paper,
      colorDanger: colourOf("err"),
      fontFamily: "system-ui, sans-serif",
      fontSizeBase: "15px",
      borderRadius: "0px",
    },
  };
}

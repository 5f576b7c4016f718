// A part of a drawing that can be pressed: by mouse, touch and keyboard alike.

/** @param {string} label @param {() => void} press */
export const pressable = (label, press) => ({
  role: "button",
  tabindex: 0,
  "aria-label": label,
  onClick: press,
  onKeyDown: (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    press();
  },
});

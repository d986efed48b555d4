import type { Grade, Grades } from '../message/understanding.js';

/** The first of the classes that a figure fits; `null` where it fits none. */
export function gradeOf(figure: number, { classes, otherwise, ofSize }: Grades): string | null {
  const value = ofSize ? Math.abs(figure) : figure;
  return classes.find((grade) => fits(value, grade))?.label ?? otherwise;
}

function fits(value: number, { low, high }: Grade): boolean {
  const isAbove = low === null || value > low.value || (low.included && value === low.value);
  return isAbove && (high === null || value < high.value || (high.included && value === high.value));
}

/** How often others had their turn in this process while the work went on. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  const state = { turns: 0, isDone: false };
  const ended = work.finally(() => {
    state.isDone = true;
  });
  while (!state.isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    state.turns += 1;
  }
  await ended;
  return state.turns;
}

/** Works on so many things at once; the first that fails is the end of all, and is thrown when none is at work any more. */
export async function inParallel<T>(
  things: AsyncIterable<T>,
  atOnce: number,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const atWork = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for await (const thing of things) {
    const one = work(thing)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => atWork.delete(one));
    atWork.add(one);
    if (atWork.size >= atOnce) await Promise.race(atWork);
    if (failures.length > 0) break;
  }
  await Promise.all(atWork);
  if (failures.length > 0) throw failures[0];
}

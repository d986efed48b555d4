/** What the promise comes to; or, when the time is over before, what `late` gives or throws. */
export async function within<T, L = void>(promise: Promise<T>, ms: number, late?: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([promise, over.then<L>(late)]);
  } finally {
    clearTimeout(timer);
  }
}

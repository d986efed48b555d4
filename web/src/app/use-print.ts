import { useMantineColorScheme } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';

const LOOK_MS = 300;
const MOST_LOOKS = 30;

/** Prints in light colours, whatever the page is in, once its charts are drawn in them. */
export function usePrint(): () => void {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return () => {
    setColorScheme('light');
    let looks = 0;
    const whenDrawn = (): void => {
      if (document.querySelector('[data-drawing="true"]') !== null && looks++ < MOST_LOOKS) {
        setTimeout(whenDrawn, LOOK_MS);
        return;
      }
      window.print();
      setColorScheme(colorScheme);
    };
    // When a menu is gone, and the charts know their colours.
    setTimeout(whenDrawn, LOOK_MS);
  };
}

/** The keys of the browser print as the page does. */
export function PrintKeys(): null {
  useHotkeys([['mod+p', usePrint()]], [], true);
  return null;
}

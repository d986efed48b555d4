const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** A number of bytes for people, cut to one decimal: `9.7 GiB`. */
export function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const size = Math.floor((bytes / 1024 ** power) * 10) / 10;
  return `${size} ${UNITS[power] ?? 'bytes'}`;
}

import type { CleanTable } from './dirty-files.writer.js';

const STATIONS = ['North Gate', 'Old Mill', 'Harbour', 'Hill', 'Market Square'];
const CITIES = ['Zürich', 'Orléans', 'Malmö', 'Köln', 'Vigo', 'Sète', 'Århus'];
const REMARKS = ['wind, rain; hail | snow', '', 'he said "fine" again', 'dry'];

/** Eighty rows of nine columns of all types, with texts that must be quoted and some that have two lines. */
export const STATION_TABLE: CleanTable = {
  name: 'stations',
  columns: ['id', 'taken_at', 'station', 'city', 'temperature', 'visits', 'is_open', 'remark', 'note'],
  rows: Array.from({ length: 80 }, (_, index) => [
    String(1001 + index),
    takenAt(index),
    STATIONS[index % STATIONS.length] ?? '',
    CITIES[index % CITIES.length] ?? '',
    String((((index * 37) % 400) - 100) / 10),
    String((index * 131) % 977),
    String(index % 3 === 0),
    REMARKS[index % REMARKS.length] ?? '',
    index % 10 === 3 ? `first line ${index}\nsecond line` : `n-${index}`,
  ]),
};

const PRODUCTS = ['lamp', 'chair', 'table', 'shelf', 'sofa', 'desk', 'stool'];

/** Forty rows of six columns that never need a quote: codes with leading zeros, prices, days. */
export const PRODUCT_TABLE: CleanTable = {
  name: 'products',
  columns: ['sku', 'product', 'price', 'stock', 'listed', 'grade'],
  rows: Array.from({ length: 40 }, (_, index) => [
    String(417 + index * 13).padStart(6, '0'),
    `${PRODUCTS[index % PRODUCTS.length] ?? ''}${index}`,
    String(((index * 977) % 5000) / 100),
    String((index * 7) % 90),
    `2024-0${1 + (index % 9)}-${String(1 + (index % 28)).padStart(2, '0')}`,
    'ABC'[index % 3] ?? '',
  ]),
};

export const TABLES: readonly CleanTable[] = [STATION_TABLE, PRODUCT_TABLE];

function takenAt(index: number): string {
  const minutes = index * 15;
  const [day, hour, minute] = [1 + Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  return `2024-03-${two(day)} ${two(hour)}:${two(minute)}:00`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

// Lists the licences of what the service and its console ship with, as it is installed. Exit code 1: one is not among those that we accept.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ACCEPTED = new Set(
  'MIT MIT-0 ISC 0BSD BSD BSD-2-Clause BSD-3-Clause Apache-2.0 BlueOak-1.0.0 MPL-2.0 Python-2.0 Unlicense CC0-1.0 OFL-1.1 Zlib'.split(
    ' ',
  ),
);

/** Named in the package's Readme alone. */
const ELSEWHERE = { 'pause@0.0.1': 'MIT' };

/** One of the alternatives is enough; what is joined must all be accepted. */
function isAccepted(licence) {
  const alternatives = licence.replace(/[()]/g, ' ').split(/ OR /);
  return alternatives.some((all) => all.split(/ AND /).every((one) => ACCEPTED.has(one.trim())));
}

function licenceOf({ license, licenses }) {
  if (typeof license === 'string') return license;
  const named = [license ?? licenses ?? []].flat().map((one) => one.type ?? String(one));
  return named.length === 0 ? 'none named' : named.join(' OR ');
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const shipped = Object.entries(packages).filter(
  ([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link,
);
const byLicence = new Map();
for (const [path] of shipped) {
  const manifest = join(path, 'package.json');
  // Of another platform.
  if (!existsSync(manifest)) continue;
  const { name, version, ...rest } = JSON.parse(readFileSync(manifest, 'utf8'));
  const licence = ELSEWHERE[`${name}@${version}`] ?? licenceOf(rest);
  byLicence.set(licence, (byLicence.get(licence) ?? new Set()).add(`${name}@${version}`));
}

for (const [licence, names] of [...byLicence].sort(([, some], [, others]) => others.size - some.size)) {
  const refused = isAccepted(licence) ? '' : 'NOT ACCEPTED: ';
  process.stdout.write(`${refused}${licence} (${names.size}): ${[...names].sort().join(', ')}\n`);
  if (refused !== '') process.exitCode = 1;
}

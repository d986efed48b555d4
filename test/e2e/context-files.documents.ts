import type { DocumentBlock } from '../../src/ports/document-reader.js';

export interface ADocument {
  readonly filename: string;
  readonly blocks: readonly DocumentBlock[];
}

/** Lines that begin with `#` are headings, `---` turns the page; every other line is a block. */
function aDocument(filename: string, text: string): ADocument {
  const blocks: DocumentBlock[] = [];
  let page = text.includes('\n---\n') ? 1 : null;
  let heading: string | null = null;
  for (const line of text.trim().split('\n')) {
    if (line === '---') page = (page ?? 1) + 1;
    else if (line.startsWith('# ')) heading = line.slice(2);
    else if (line.trim() !== '') blocks.push({ text: line.trim(), page, heading });
  }
  return { filename, blocks };
}

export const DOCUMENTS: readonly ADocument[] = [
  aDocument(
    'employee-handbook.pdf',
    `
# Working hours
Full-time employees work 38.5 hours a week. The core time is from 9:30 to 15:00; the rest can be arranged freely with the team lead.
Overtime has to be approved in advance by the department manager. It is compensated by time off within three months, or paid out with a supplement of 25 percent.
# Remote work
Employees may work from home on up to two days a week. Working from abroad needs the written consent of the human resources department and is limited to 30 days a calendar year.
The company pays a monthly allowance of 40 euros for internet and electricity.
---
# Annual leave
Every employee has 28 days of paid leave a calendar year. Up to five days that were not taken can be carried over until 31 March of the following year; after that they expire.
Leave is requested in the staff portal at least two weeks in advance. The team lead answers within three working days.
# Illness
Whoever falls ill informs the team lead before 9:00 on the first day. A medical certificate is required from the third day of sickness on.
Sick pay continues for six weeks. After that the health insurance takes over.
---
# Travel expenses
Train journeys are booked in second class. Flights are allowed only when the journey by train would take longer than six hours.
The daily allowance is 28 euros, and 14 euros on days of arrival and departure. Receipts must be handed in within 30 days of the end of the journey.
# Notice
During the probation period of six months either side can give notice of two weeks. Afterwards the notice period is three months to the end of a quarter.
Company property such as laptops, keys and badges is returned on the last working day.
# Contacts
Human resources: Marta Ilves, room 2.14, extension 310
Works council: Jonas Brandt, room 1.03, extension 275
`,
  ),
  aDocument(
    'pump-manual.pdf',
    `
# Intended use
The KX-200 is a self-priming centrifugal pump for clean or slightly polluted water. It must not be used for flammable liquids, sea water or food.
# Technical data
Maximum flow | 18 m³/h
Maximum head | 42 m
Rated power | 2.2 kW
Supply voltage | 400 V, 50 Hz
Weight | 31 kg
Protection class | IP55
---
# Installation
The pump is mounted horizontally on a firm foundation that does not vibrate. Leave at least 50 cm of free space around the motor so that it can cool.
Fill the housing with water before the first start. Running dry destroys the mechanical seal within a few minutes.
# Maintenance
The bearings are greased every 2,000 operating hours with lithium grease NLGI 2. The mechanical seal is replaced after 8,000 operating hours.
Clean the suction strainer once a month, and daily when the water carries sand.
---
# Faults
If the pump does not deliver, the suction line usually draws air: check the joints and the foot valve.
If the motor protection trips, the impeller may be blocked or a phase may be missing. Disconnect the supply before you open the housing.
A whistling noise points to cavitation. It disappears when the suction head is reduced or the flow is throttled.
# Spare parts
Mechanical seal | KX-200-07
Impeller | KX-200-11
Bearing set | KX-200-15
Spare parts are available for ten years after the last delivery of the series.
`,
  ),
  aDocument(
    'terms-of-sale.docx',
    `
# Warranty
We grant a warranty of 24 months from the date of delivery. For wear parts such as seals and filters it is limited to six months.
The warranty is void if the device was opened by anybody but an authorised workshop.
# Returns
Goods can be returned within 14 days of receipt, unused and in their original packaging. The customer bears the cost of the return shipment.
The purchase price is refunded within ten working days after the goods have arrived in our warehouse in Tartu.
# Prices and payment
Prices are net of value added tax. Invoices are due within 30 days; for payment within eight days we grant a discount of two percent.
If payment is late we charge interest of nine percentage points above the base rate and a reminder fee of 12 euros.
# Delivery
Orders under 500 euros carry a shipping fee of 15 euros. Above that, delivery within the European Union is free of charge.
The usual delivery time is five to seven working days. Express delivery by noon of the next day costs 39 euros.
# Jurisdiction
These terms are governed by Estonian law. The place of jurisdiction is Tallinn.
`,
  ),
  aDocument(
    'it-security-policy.docx',
    `
# Passwords
Passwords have at least 14 characters and are changed when there is a suspicion that somebody else knows them. They are kept in the password manager Vaultkeeper, never on paper.
Multi-factor authentication is mandatory for e-mail, the VPN and every administrative account.
# Devices
The hard disk of every laptop is encrypted. A lost or stolen device is reported to the service desk within one hour, at any time of day, under 555 0199.
Private USB sticks must not be connected to company computers.
# Backups
Databases are backed up every night at 02:00, and the copies are kept for 35 days. Once a quarter a restore is tried, because a backup that was never restored is only a hope.
The backups are stored in the data centre in Riga, 300 kilometres from the production systems.
# Classification
Confidential means that disclosure would cause serious damage to the company or its customers. Such documents are encrypted before they are sent.
Internal means that the information is meant for employees only.
# Incidents
Security incidents are handled by the response team under the lead of Katrin Saar. The data protection authority is informed within 72 hours when personal data are concerned.
`,
  ),
  aDocument(
    'lighthouse-history.txt',
    `
The lighthouse on Vilsund point was built in 1874 after the brig Aurora had run aground there with the loss of nineteen sailors. It was designed by the engineer Henrik Lund.
The tower is 34 metres high and made of granite from the island of Bornholm. Its light could be seen at a distance of 21 nautical miles.
The first keeper was Anders Holm, who lived there with his wife and seven children. He kept the light for 31 years and missed, as he liked to say, not a single night.
In the winter of 1929 the sea froze, and supplies had to be brought across the ice by sledge. The keeper's daughter Ingrid walked eleven kilometres to fetch the doctor.
The oil lamp was replaced by an electric one in 1952. The station was automated in 1983, and the last keeper, Per Dahl, left the tower in May of that year.
Today the lighthouse is a museum. It is open from April to October, Tuesday to Sunday from 10 to 17 o'clock. Admission is 6 euros, children under 12 years do not pay.
The foghorn was switched off because neighbours complained about the noise.
`,
  ),
];

export interface DocumentQuestionCase {
  readonly question: string;
  /** What the first quote must hold; null: the documents do not say. */
  readonly answer: RegExp | null;
  readonly file?: string;
}

function asked(question: string, answer: RegExp | null, file?: string): DocumentQuestionCase {
  return { question, answer, ...(file === undefined ? {} : { file }) };
}

const HANDBOOK = 'employee-handbook.pdf';
const PUMP = 'pump-manual.pdf';
const TERMS = 'terms-of-sale.docx';
const POLICY = 'it-security-policy.docx';
const LIGHTHOUSE = 'lighthouse-history.txt';

export const QUESTIONS: readonly DocumentQuestionCase[] = [
  asked('How many hours a week do full-time employees work?', /38\.5 hours/, HANDBOOK),
  asked('Who has to approve overtime?', /department manager/, HANDBOOK),
  asked('how many vacation days do I get', /28 days/, HANDBOOK),
  asked('When do I need a medical certificate?', /third day/, HANDBOOK),
  asked('When are flights allowed?', /longer than six hours/, HANDBOOK),
  asked('What is the notice period after probation?', /three months to the end of a quarter/, HANDBOOK),
  asked('What is the extension of the works council?', /275/, HANDBOOK),
  asked('What is the maximum flow of the KX-200?', /18 m³\/h/, PUMP),
  asked('What supply voltage does the pump need?', /400 V/, PUMP),
  asked('When must the mechanical seal be replaced?', /8,000 operating hours/, PUMP),
  asked('Why does the pump not deliver?', /draws air/, PUMP),
  asked('Can the pump be used for sea water?', /must not be used/, PUMP),
  asked('What happens when the pump runs dry?', /destroys the mechanical seal/, PUMP),
  asked('What is the warranty on wear parts?', /six months/, TERMS),
  asked('Who pays for the return shipment?', /customer bears the cost/, TERMS),
  asked('How high is the reminder fee?', /12 euros/, TERMS),
  asked('Which law applies to the terms?', /Estonian law/, TERMS),
  asked('How many characters must a password have?', /14 characters/, POLICY),
  asked('How long are backups kept?', /35 days/, POLICY),
  asked('What does confidential mean?', /serious damage/, POLICY),
  asked('is multi factor authentification mandatory', /Multi-factor authentication is mandatory/, POLICY),
  asked('Who designed the lighthouse?', /Henrik Lund/, LIGHTHOUSE),
  asked('Who was the first keeper?', /Anders Holm/, LIGHTHOUSE),
  asked('What are the opening hours of the museum?', /10 to 17/, LIGHTHOUSE),
  asked('When did the last keeper leave?', /May of that year/, LIGHTHOUSE),
  asked('Who is the chief executive officer?', null),
  asked('What is the share price of the company?', null),
  asked('How do I bake bread?', null),
  asked('What colour is the pump?', null),
  asked('Which football club does the keeper support?', null),
  asked('When does the canteen open?', null),
  asked('How many parking spaces are there?', null),
  asked('What is the capital of France?', null),
  asked('Please tell me something', null),
  asked('Does the policy mention artificial intelligence?', null),
];

/** Written after the answering was finished, and never tuned on. */
export const HELD_OUT: readonly DocumentQuestionCase[] = [
  asked('what percentage is paid for overtime', /25 percent/, HANDBOOK),
  asked('Do I get money for internet at home?', /40 euros/, HANDBOOK),
  asked('How far ahead do I have to request leave?', /two weeks in advance/, HANDBOOK),
  asked('Which class do I book on trains?', /second class/, HANDBOOK),
  asked('When do I have to hand in receipts?', /within 30 days/, HANDBOOK),
  asked('Who do I call in human resources?', /Marta Ilves/, HANDBOOK),
  asked('How long can I work abroad?', /30 days/, HANDBOOK),
  asked('What kind of grease do the bearings take?', /NLGI 2/, PUMP),
  asked('rated power of the KX-200', /2\.2 kW/, PUMP),
  asked('How often do I clean the strainer?', /once a month/, PUMP),
  asked('For how many years are spare parts available?', /ten years/, PUMP),
  asked('motor protection trips, what now?', /impeller may be blocked/, PUMP),
  asked('What is the protection class?', /IP55/, PUMP),
  asked('When is the warranty void?', /authorised workshop/, TERMS),
  asked('When do I get my money back after returning goods?', /ten working days/, TERMS),
  asked('What are the shipping costs for small orders?', /15 euros/, TERMS),
  asked('Interest on late payments?', /nine percentage points/, TERMS),
  asked('Am I allowed to plug in my own USB stick?', /must not be connected/, POLICY),
  asked('Which password manager do we use?', /Vaultkeeper/, POLICY),
  asked('How quickly must the authority be informed about an incident?', /72 hours/, POLICY),
  asked('At what time do the nightly backups run?', /02:00/, POLICY),
  asked('How many sailors died?', /nineteen/, LIGHTHOUSE),
  asked('From how far away could the light be seen?', /21 nautical miles/, LIGHTHOUSE),
  asked('When was the lamp electrified?', /1952/, LIGHTHOUSE),
  asked('Do children pay admission?', /under 12/, LIGHTHOUSE),
  asked('How did supplies reach the tower in 1929?', /sledge/, LIGHTHOUSE),
  asked('Who is the mayor of Vilsund?', null),
  asked('What is the maximum speed of the delivery vans?', null),
  asked('How many employees does the company have?', null),
  asked('What is the warranty on the lighthouse lamp?', null),
];

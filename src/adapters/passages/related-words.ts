import { isFunctionWord } from '../../shared/words/languages.js';
import { stemOf, wordsOf } from '../../shared/words/words.js';

/**
 * Words of business English that people use for one another. A question says `vacation` where the handbook says `leave`; without a model
 * that knows meanings, this is what closes the gap.
 */
const GROUPS = `
holiday vacation leave pto
salary wage pay payroll remuneration compensation
bonus premium incentive
employee staff worker personnel workforce
employer company firm
employment job work
contractor freelancer consultant
manager supervisor boss superior
director executive
apprentice trainee intern
ill illness sick sickness disease
doctor physician medic
mother maternity birth
father paternity parental
child kid son daughter
die death bereavement
retire retirement pension
dismiss dismissal fire redundancy severance
resign quit leave
probation trial
overtime extra
shift rota roster
training education course learning development
accident injury
bullying harassment discrimination grievance
complaint complain grievance objection
allowance budget limit
expense cost spending
reimburse reimbursement refund
travel trip journey
car vehicle van lorry truck automobile
hotel accommodation lodging
meal food lunch dinner
gift present donation
price cost fee charge rate tariff
expensive dear costly
cheap inexpensive
free gratis
invoice bill
receipt proof
pay payment settle
overdue late
due deadline
discount reduction rebate credit
tax vat duty customs
buy purchase order
purchase acquisition
sell sale
revenue turnover sales income
profit surplus earnings gain
loss deficit
debt loan borrowing liability
growth increase rise
grow rise increase
raise increase
fall decline decrease drop
shareholder member investor
board management
merger acquisition takeover
customer client buyer
supplier vendor provider
competitor rival
partner party
contract agreement
terms conditions
terminate termination cancel cancellation end notice
renew renewal prolong extend extension
clause section paragraph
liability liable damages
damage damages harm
compensation indemnity indemnify
guarantee warranty
defect fault error bug
fix repair mend remedy
breakdown failure outage fault
uptime availability
downtime outage maintenance
support help assistance helpdesk
answer response reply reaction
react respond answer
fast quick rapid
backup copy
restore recovery
store storage save keep
delete deletion remove erase
data content information
export download
breach leak violation
privacy protection
confidential secret nda disclosure
password passphrase credentials
login signin access
account profile
encrypted encryption
user account
software program application
computer laptop
phone telephone
mail email
phishing spam
law legislation legal statute
court tribunal
dispute conflict disagreement
fine penalty sanction
permit permission consent approval
allow permit may
forbid prohibit ban
police authorities
insurance cover coverage
ship shipping deliver delivery dispatch
shipment parcel package
postage delivery
return send
exchange replace replacement
damaged broken
voucher coupon giftcard
code number
rent hire lease
deposit security
size measure dimension
backpack rucksack
zip zipper
wash clean laundry
coat jacket
boots shoes
open opening hours
close closing shut closed
hotline telephone
contact reach
danger risk hazard threat
safe safety
emergency alarm siren
evacuate evacuation
protective protection
weight mass
weigh weight
height head
depth immersion deep
speed rate
flow throughput
power wattage
voltage volt
oil lubricant
tighten torque
part component
install installation mount fit
reset clear
switch turn
start begin
stop halt
dispose disposal scrap
throw dispose
recycle recycling
pollution pollute waste
environment environmental
emission carbon
energy electricity
heating boiler heat
factory plant works
machine equipment
quality standard
recall withdrawal
share percentage proportion
percent percentage
amount quantity sum
average mean
number count
year annual yearly
month monthly
day daily
meeting assembly
agenda programme
town city
country state nation
parliament legislature legislative
president leader
war conflict
coup overthrow
independence sovereignty
currency tender money
export sale
gas petroleum
poor poverty
rich wealth
population people inhabitants
disease epidemic
farmer farm
forest wood woods
sea ocean
`;

const RELATED = relatedByStem();

/** English stems that mean nearly the same as an English stem, itself not among them. */
export function relatedTo(stem: string): readonly string[] {
  return RELATED.get(stem) ?? [];
}

function relatedByStem(): ReadonlyMap<string, readonly string[]> {
  const related = new Map<string, Set<string>>();
  for (const line of GROUPS.trim().split('\n')) {
    const stems = stemsIn(line);
    for (const stem of stems) related.set(stem, new Set([...(related.get(stem) ?? []), ...stems]));
  }
  return new Map([...related].map(([stem, all]) => [stem, [...all].filter((other) => other !== stem)]));
}

function stemsIn(line: string): readonly string[] {
  const words = wordsOf(line).filter((word) => !isFunctionWord(word, ['english']));
  return words.map((word) => stemOf(word, 'english'));
}

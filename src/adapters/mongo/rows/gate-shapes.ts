import { type Extent, holding, SCALAR } from './gate-budget.js';
import { GateFields, partsOf } from './gate-fields.js';
import { type ExpressionVisitor, scopeOf } from './gate-scope.js';
import { type GateDocument, type GateValue, isDocument, isList, refused, shown } from './gate-json.js';

/** Looks through the stages that give documents another shape, and says which fields they have afterwards. */
export class ShapeGate {
  constructor(private readonly expressions: ExpressionVisitor) {}

  /** `$addFields`, `$set`. */
  added(given: GateValue, fields: GateFields): GateFields {
    const document = documentOf('$set', given);
    // All of them are worked out on what came in.
    return [...document].reduce((after, [name, value]) => this.assigned(after, { name, value }, fields), fields);
  }

  project(given: GateValue, fields: GateFields): GateFields {
    const document = documentOf('$project', given);
    if (document.size === 0) throw refused('$project needs a field');
    const others = [...document].filter(([name]) => name !== '_id');
    const isLeavingOut =
      others.length === 0 ? isLeft(document.get('_id') ?? null) : others.every(([, value]) => isLeft(value));
    if (isLeavingOut) return this.leavingOut(document, fields);
    const kept = fields.has('_id') ? GateFields.of([['_id', fields.at('_id')]]) : GateFields.of([]);
    return [...document].reduce((after, [name, value]) => {
      if (isLeft(value)) {
        if (name !== '_id') throw refused('$project either names what stays or what goes, not both');
        return after.without('_id');
      }
      return this.kept(after, { name, value }, fields);
    }, kept);
  }

  unset(given: GateValue, fields: GateFields): GateFields {
    const names = isList(given) ? given : [given];
    return names.reduce<GateFields>((after, name) => {
      if (typeof name !== 'string') throw refused('$unset takes names of fields');
      fields.at(name);
      return after.without(name);
    }, fields);
  }

  /** `$replaceRoot`, `$replaceWith`. */
  replaced(value: GateValue, fields: GateFields): GateFields {
    const extent = this.expressions.visit(value, scopeOf(fields));
    const isLiteral = isDocument(value) && ![...value.keys()].some((name) => name.startsWith('$'));
    if (!isLiteral) return GateFields.unknown(extent);
    return GateFields.of(
      [...value].map(([name, one]) => [name, this.expressions.visit(one, scopeOf(fields))] as const),
    );
  }

  private leavingOut(document: GateDocument, fields: GateFields): GateFields {
    return [...document].reduce((after, [name, value]) => {
      if (!isLeft(value)) throw refused('$project either names what stays or what goes, not both');
      partsOf(name);
      return after.without(name);
    }, fields);
  }

  private kept(
    after: GateFields,
    { name, value }: { readonly name: string; readonly value: GateValue },
    fields: GateFields,
  ): GateFields {
    partsOf(name);
    // Beside `_id`, a whole number or true says that a field stays.
    if (value === true || typeof value === 'number') return after.with(name, fields.at(name));
    return this.assigned(after, { name, value }, fields);
  }

  private assigned(
    after: GateFields,
    { name, value }: { readonly name: string; readonly value: GateValue },
    fields: GateFields,
  ): GateFields {
    partsOf(name);
    return after.with(name, this.nested(value, fields));
  }

  /** A document in a document of fields says again what stays or is worked out, with names that may have dots. */
  private nested(value: GateValue, fields: GateFields): Extent {
    const isInner = isDocument(value) && ![...value.keys()].some((name) => name.startsWith('$'));
    if (!isInner) return this.expressions.visit(value, scopeOf(fields));
    const extents = [...value].map(([name, one]) => {
      partsOf(name);
      return this.nested(one, fields);
    });
    // What was there before can stay beside it.
    return holding([SCALAR, fields.whole, ...extents]);
  }
}

export function documentOf(stage: string, given: GateValue): GateDocument {
  if (!isDocument(given)) throw refused(`${shown(stage)} takes a document`);
  return given;
}

function isLeft(value: GateValue): boolean {
  return value === 0 || value === false;
}

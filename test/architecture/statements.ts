/**
 * Finds every SQL statement of the product in its sources, with the TypeScript types of its rows and parameters. A
 * text may depend on a condition or a search: each of its variants is then a separate statement.
 */
import { resolve } from "node:path";
import {
  type CallExpression,
  type Expression,
  type FunctionLikeDeclaration,
  type Node,
  type NodeArray,
  type ParameterDeclaration,
  SyntaxKind,
  type TemplateExpression,
} from "typescript/unstable/ast";
import * as is from "typescript/unstable/ast/is";
import { API, type Checker, type Project, type Type, type TypeReference } from "typescript/unstable/sync";

export interface Statement {
  /** file and line */
  at: string;
  text: string;
  /** the TypeScript type of each member of a row; undefined if none is declared */
  row?: Record<string, string>;
  /** the call reads rows */
  readsRows: boolean;
  /** the TypeScript type of each value, as far as they are listed */
  parameters: string[];
  /** `parameters` has all of them */
  complete: boolean;
}

/** A value that is only known at run time. */
const UNKNOWN = Symbol("unknown");
type Value = unknown;
type Bindings = Map<Node, Value[]>;

/** Statements of the files for which `includes` is true, and the calls whose text is unknown. */
export function readStatements(includes: (file: string) => boolean): {
  statements: Statement[];
  unreadable: string[];
} {
  const root = resolve(import.meta.dirname, "../..");
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [resolve(root, "tsconfig.json")] }).getProjects();
    if (!project) throw new Error("There is no TypeScript project.");
    const reader = new Reader(project);
    for (const path of project.program.getSourceFileNames()) {
      const file = path.slice(root.length + 1);
      if (path.startsWith(root) && includes(file)) reader.read(path, file);
    }
    return reader;
  } finally {
    api.close();
  }
}

class Reader {
  readonly statements: Statement[] = [];
  readonly unreadable: string[] = [];
  readonly #project: Project;
  readonly #checker: Checker;

  constructor(project: Project) {
    this.#project = project;
    this.#checker = project.checker;
  }

  read(path: string, file: string): void {
    const source = this.#project.program.getSourceFile(path);
    if (!source) throw new Error(`${file} is not part of the project.`);
    const visit = (node: Node): void => {
      if (is.isCallExpression(node)) {
        const line = source.text.slice(0, node.expression.end).split("\n").length;
        this.#readCall(node, `${file}:${line}`);
      }
      node.forEachChild(visit);
    };
    visit(source);
  }

  #readCall(call: CallExpression, at: string): void {
    const { expression } = call;
    const isQuery = is.isPropertyAccessExpression(expression) && expression.name.text === "query";
    const isPage = is.isIdentifier(expression) && expression.text === "readPage";
    if (!isQuery && !isPage) return;
    const [first, second] = isPage ? [call.arguments[1]] : call.arguments;
    const type = call.typeArguments?.[0];
    const values = second ?? memberOf(first, "values");
    const texts = this.#evaluate(first as Expression, new Map()).map(textOf);
    if (texts.some((text) => typeof text !== "string")) this.unreadable.push(at);
    const parameters = this.#parametersOf(
      values ?? (first && is.isConditionalExpression(first) ? first : undefined),
    );
    const common = {
      at,
      readsRows: isPage || readsRows(call),
      // once per call, since some have thousands of texts
      ...(type && { row: this.#membersOf(this.#checker.getTypeFromTypeNode(type) as Type) }),
      ...parameters,
    };
    for (const text of new Set(texts))
      if (typeof text === "string") this.statements.push({ text, ...common });
  }

  #membersOf(type: Type): Record<string, string> {
    const members = this.#checker
      .getPropertiesOfType(type)
      .map((member) => [member.name, this.#nameOf(this.#checker.getTypeOfSymbol(member))]);
    return Object.fromEntries(members);
  }

  #nameOf(type: Type | undefined): string {
    if (!type) return "any";
    const members = type.isUnionType() ? (type.getTypes() ?? []) : [type];
    const names = members.map((one) => {
      const base = this.#checker.getBaseTypeOfLiteralType(one) ?? one;
      const name = this.#checker.typeToString(base);
      if (this.#checker.isArrayType(base)) {
        const [element] = this.#checker.getTypeArguments(base as TypeReference);
        return `${this.#nameOf(element)}[]`;
      }
      return /^(string|number|boolean|null|undefined|Date|any|unknown)$/.test(name) ? name : "object";
    });
    return [...new Set(names)].sort().join(" | ");
  }

  #parametersOf(values: Node | undefined): Pick<Statement, "parameters" | "complete"> {
    if (!values) return { parameters: [], complete: true };
    if (!is.isArrayLiteralExpression(values)) return { parameters: [], complete: false };
    const spread = values.elements.findIndex((one) => one.kind === SyntaxKind.SpreadElement);
    const listed = spread < 0 ? values.elements : values.elements.slice(0, spread);
    const parameters = listed.map((one) => this.#nameOf(this.#checker.getTypeAtLocation(one)));
    return { parameters, complete: spread < 0 };
  }

  /** The possible values of an expression. */
  #evaluate(node: Node, bindings: Bindings): Value[] {
    if (is.isStringLiteral(node) || is.isNoSubstitutionTemplateLiteral(node)) return [node.text];
    if (is.isNumericLiteral(node)) return [Number(node.text.replaceAll("_", ""))];
    if (is.isTemplateExpression(node)) return this.#evaluateTemplate(node, bindings);
    if (is.isParenthesizedExpression(node) || is.isAsExpression(node) || is.isSatisfiesExpression(node))
      return this.#evaluate(node.expression, bindings);
    if (is.isConditionalExpression(node))
      return [...this.#evaluate(node.whenTrue, bindings), ...this.#evaluate(node.whenFalse, bindings)];
    if (is.isBinaryExpression(node)) return this.#calculate(node, bindings);
    if (is.isObjectLiteralExpression(node)) return this.#evaluateObject(node, bindings);
    if (is.isArrayLiteralExpression(node)) return this.#evaluateList(node.elements, bindings);
    if (is.isPropertyAccessExpression(node))
      return this.#evaluate(node.expression, bindings).flatMap((from) => memberValue(from, node.name.text));
    if (is.isElementAccessExpression(node))
      return this.#evaluate(node.expression, bindings).flatMap((from) =>
        from !== UNKNOWN && from instanceof Object ? Object.values(from) : UNKNOWN,
      );
    if (is.isCallExpression(node)) return this.#evaluateCall(node, bindings);
    if (is.isArrowFunction(node) || is.isFunctionDeclaration(node)) return [node];
    if (is.isIdentifier(node)) return this.#resolve(node, bindings);
    return [UNKNOWN];
  }

  /** A name that occurs several times has the same value each time. */
  #evaluateTemplate({ head, templateSpans }: TemplateExpression, bindings: Bindings): Value[] {
    const spans = [...templateSpans];
    const names = spans.map(({ expression }, at) => (is.isIdentifier(expression) ? expression.text : at));
    const expressions = new Map(spans.map(({ expression }, at) => [names[at], expression]));
    const choices = [...expressions.values()].map((expression) => this.#interpolated(expression, bindings));
    return product(choices).map((values) => {
      if (values.includes(UNKNOWN)) return UNKNOWN;
      const byName = new Map([...expressions.keys()].map((name, at) => [name, values[at]]));
      return head.text + spans.map(({ literal }, at) => `${byName.get(names[at])}${literal.text}`).join("");
    });
  }

  /** An unknown number can be any number. */
  #interpolated(node: Expression, bindings: Bindings): Value[] {
    const values = this.#evaluate(node, bindings);
    const type = values.includes(UNKNOWN) ? this.#checker.getTypeAtLocation(node) : undefined;
    return type && this.#nameOf(type) === "number" ? [1] : values;
  }

  #calculate(node: Node & { left: Expression; right: Expression; operatorToken: Node }, bindings: Bindings) {
    const pairs = product([node.left, node.right].map((side) => this.#evaluate(side, bindings)));
    return pairs.map(([left, right]): Value => {
      if (left === UNKNOWN || right === UNKNOWN) return UNKNOWN;
      if (node.operatorToken.kind === SyntaxKind.PlusToken)
        return typeof left === "number" && typeof right === "number" ? left + right : `${left}${right}`;
      return node.operatorToken.kind === SyntaxKind.MinusToken ? Number(left) - Number(right) : UNKNOWN;
    });
  }

  /** Of names, or of other lists of names; others have unknown elements. */
  #evaluateList(elements: NodeArray<Node>, bindings: Bindings): Value[] {
    const parts = [...elements].map((one) => {
      if (is.isStringLiteral(one)) return [one.text];
      return is.isSpreadElement(one) ? this.#evaluate(one.expression, bindings) : [UNKNOWN];
    });
    return product(parts).map((lists) => (lists.includes(UNKNOWN) ? UNKNOWN : lists.flat()));
  }

  #evaluateObject(node: Node & { properties: NodeArray<Node> }, bindings: Bindings): Value[] {
    const members = [...node.properties].map((member): [string, Value[]] => {
      const { name } = member as Node & { name?: { text: string } };
      const key = name?.text ?? "";
      if (is.isPropertyAssignment(member)) return [key, this.#evaluate(member.initializer, bindings)];
      return is.isShorthandPropertyAssignment(member)
        ? [key, this.#resolve(member, bindings)]
        : [key, [UNKNOWN]];
    });
    return product(members.map(([, values]) => values)).map((values) =>
      Object.fromEntries(values.map((value, at) => [members[at]?.[0], value])),
    );
  }

  #evaluateCall(node: CallExpression, bindings: Bindings): Value[] {
    const { expression } = node;
    // a list of variable length is tried empty and with one element
    if (is.isPropertyAccessExpression(expression) && expression.name.text === "join") {
      const separator = node.arguments[0] ? this.#evaluate(node.arguments[0], bindings)[0] : ",";
      return this.#evaluate(expression.expression, bindings).map((list) =>
        Array.isArray(list) ? list.join(String(separator)) : UNKNOWN,
      );
    }
    if (is.isPropertyAccessExpression(expression) && expression.name.text === "map") {
      return this.#evaluate(expression.expression, bindings).flatMap((list): Value[] => {
        const elements = Array.isArray(list) ? list.map((one) => [one]) : [[UNKNOWN]];
        const mapped = elements.map((one, at) =>
          this.#evaluate(node.arguments[0] as Node, bindings).flatMap((callee) =>
            this.#call(callee, [one, [at]]),
          ),
        );
        return [...(Array.isArray(list) ? [] : [[]]), ...product(mapped)];
      });
    }
    if (is.isPropertyAccessExpression(expression) && expression.getText() === "Object.entries")
      return this.#evaluate(node.arguments[0] as Node, bindings).map((from) =>
        from === UNKNOWN ? UNKNOWN : Object.entries(from as object),
      );
    const args = [...node.arguments].map((one) => this.#evaluate(one, bindings));
    return this.#evaluate(expression, bindings).flatMap((callee) => this.#call(callee, args));
  }

  #call(value: Value, args: Value[][]): Value[] {
    const callee = value as FunctionLikeDeclaration;
    if (value === UNKNOWN || value === undefined || !callee.body) return [UNKNOWN];
    const bindings: Bindings = new Map();
    callee.parameters.forEach((parameter, at) => {
      const values = args[at] ?? [UNKNOWN];
      if (is.isIdentifier(parameter.name)) bindings.set(parameter, values);
      else
        parameter.name.elements.forEach((element, index) => {
          bindings.set(
            element,
            values.flatMap((value) =>
              memberValue(
                value,
                element.name && is.isIdentifier(element.name) && !Array.isArray(value)
                  ? element.name.text
                  : index,
              ),
            ),
          );
        });
    });
    if (!is.isBlock(callee.body)) return this.#evaluate(callee.body, bindings);
    const results: Value[] = [];
    const visit = (node: Node): void => {
      if (is.isReturnStatement(node) && node.expression)
        results.push(...this.#evaluate(node.expression, bindings));
      else if (!is.isArrowFunction(node)) node.forEachChild(visit);
    };
    callee.body.forEachChild(visit);
    return results;
  }

  #resolve(node: Node, bindings: Bindings): Value[] {
    const found = is.isShorthandPropertyAssignment(node)
      ? this.#checker.getShorthandAssignmentValueSymbol(node)
      : this.#checker.getSymbolAtLocation(node);
    const alias = found?.declarations[0]?.kind === SyntaxKind.ImportSpecifier;
    const symbol = found && alias ? this.#checker.getAliasedSymbol(found) : found;
    const declaration = symbol?.declarations[0]?.resolve();
    if (!declaration) return [UNKNOWN];
    const bound = bindings.get(declaration);
    if (bound) return bound;
    if (is.isVariableDeclaration(declaration) && declaration.initializer) {
      const isConstant = /^const\b/.test(declaration.parent.getText());
      return isConstant ? this.#evaluate(declaration.initializer, bindings) : [UNKNOWN];
    }
    if (is.isFunctionDeclaration(declaration)) return [declaration];
    if (is.isBindingElement(declaration)) return this.#resolveMember(declaration, bindings);
    return is.isParameterDeclaration(declaration) ? this.#resolveParameter(declaration) : [UNKNOWN];
  }

  /** The arguments of the calls in the same file for a parameter; without any, the strings of its type. */
  #resolveParameter(parameter: ParameterDeclaration): Value[] {
    const callee = parameter.parent;
    const args: Value[] = [];
    const visit = (node: Node): void => {
      if (is.isCallExpression(node) && is.isFunctionDeclaration(callee)) {
        const isCall = is.isIdentifier(node.expression) && node.expression.text === callee.name?.getText();
        const value = isCall ? node.arguments[callee.parameters.indexOf(parameter)] : undefined;
        if (value) args.push(...this.#evaluate(value, new Map()));
      }
      node.forEachChild(visit);
    };
    visit(parameter.getSourceFile());
    if (args.length > 0 && !args.includes(UNKNOWN)) return args;
    const type = this.#checker.getTypeAtLocation(parameter.name);
    const members = type?.isUnionType() ? (type.getTypes() ?? []) : [];
    const literals = members.flatMap((one) => (one.isStringLiteralType() ? [one.value] : []));
    return literals.length > 0 && literals.length === members.length ? literals : [UNKNOWN];
  }

  /** `const { text } = …` */
  #resolveMember(element: Node & { name?: Node; propertyName?: Node }, bindings: Bindings): Value[] {
    const holder = element.parent?.parent;
    if (!holder || !is.isVariableDeclaration(holder) || !holder.initializer) return [UNKNOWN];
    const name = ((element.propertyName ?? element.name) as Node & { text: string }).text;
    return this.#evaluate(holder.initializer, bindings).flatMap((from) => memberValue(from, name));
  }
}

function textOf(value: Value): Value {
  return value !== UNKNOWN && value instanceof Object ? (value as { text?: Value }).text : value;
}

function memberOf(node: Node | undefined, name: string): Node | undefined {
  if (!node || !is.isObjectLiteralExpression(node)) return undefined;
  const member = node.properties.find((one) => !is.isSpreadAssignment(one) && one.name.getText() === name);
  return member && is.isPropertyAssignment(member) ? member.initializer : member;
}

function memberValue(from: Value, name: string | number): Value[] {
  if (from === UNKNOWN || !(from instanceof Object) || !(name in from)) return [UNKNOWN];
  return [(from as Record<string | number, Value>)[name]];
}

/** Whether the rows of an awaited query are used: `const { rows } = …` or `(await …).rows`. */
function readsRows(call: CallExpression): boolean {
  const awaited = call.parent;
  const user = is.isAwaitExpression(awaited) ? awaited.parent : undefined;
  return Boolean(
    user &&
      is.isVariableDeclaration(user) &&
      is.isObjectBindingPattern(user.name) &&
      /\brows\b/.test(user.name.getText()),
  );
}

function product<Item>(lists: Item[][]): Item[][] {
  return lists.reduce<Item[][]>(
    (all, list) => all.flatMap((one) => list.map((item) => [...one, item])),
    [[]],
  );
}

/** The rules of `scripts/check-words.mjs`: phrases that are no plain developer English, why, and what to write. */
import { countWords, sentencesOf } from './words-text.mjs'

/** Words that begin a clause, such as "What the callback returns". */
export const relativeStart =
  /^(?:What|Who|Whose|Whom|Where|Whether|How|Which|Whatever|Whoever|Whichever|Wherever|When|Why)\b/

/** The most words of a sentence before it is reported. */
export const longestSentence = 40

const noun = 'a clause stands for a noun'
const subject = 'the subject is not named'
const term = 'not the term of the field'
const order = 'unusual word order'
const riddle = 'a riddle, or an aphorism'

const isQuestion = (sentence) => /\?["'”’)]*$/.test(sentence)
const isStatement = (sentence) => !isQuestion(sentence)
/** "When the server starts, it …" is plain English, and so is "Where possible, …". */
const hasMainClause = (sentence) => /, (?!and\b|or\b|but\b|nor\b|if\b|when\b|which\b|in\b)/.test(sentence)
/** A sentence with one of these words is about developers, or people in general: "some people prefer spaces". */
const inGeneral =
  /\b(?:contribut\w*|communit(?:y|ies)|projects?|maintain\w*|thanks?|issues|librar(?:y|ies)|advisor(?:y|ies)|registering|entit(?:y|ies)|javascript|disclosure|branches|syntax|entropy|primitives|research|prerendered|linter)\b|\b(?:some|many|most|few|smart|wonderful|more|enough|only) people\b|\bpeople (?:may|using|doing|wanting|write|find)\b/i
const depends = /\b(?:depends?|matters?|varies|determines?|is up to|differs?)\b/

/** "What this means is that …" and "What is cached depends on …" are plain English, and so is "What you need:". */
function isNounClause(sentence) {
  if (isQuestion(sentence) || /:$/.test(sentence) || depends.test(sentence)) return false
  if (/^What (?:is|are|was|has|had)\b/.test(sentence)) return true
  return !/\b(?:is|are|was) (?:that|this|the|an?|to|how|what|why|when|whether)\b/.test(sentence)
}

/**
 * @typedef {object} Rule
 * @property {string} name
 * @property {RegExp} find Is tried on each sentence.
 * @property {string} why
 * @property {string} write
 * @property {readonly string[]} [kinds] The kinds of passages. Default: all.
 * @property {(sentence: string, found: RegExpExecArray) => boolean} [also] What else must hold.
 * @property {'passage'} [of] `passage`: only the first sentence of a passage is tried.
 */

const written = ['doc', 'tag', 'comment', 'message', 'prose', 'cell']

/** @type {readonly Rule[]} */
export const rules = [
  {
    name: 'doc-start',
    find: /^(?:What|Who|Whose|Whom|Where|How|Which|Whatever|Whoever|Whichever|Wherever|Why)\b[^.,:;]{0,40}/,
    kinds: ['doc'],
    of: 'passage',
    also: isStatement,
    why: noun,
    write: 'begin with a verb ("Returns …", "Checks whether …") or with a noun and its article ("The value that …")',
  },
  {
    name: 'doc-whether',
    find: /^Whether\b[^.,:;]{0,40}/,
    kinds: ['doc'],
    of: 'passage',
    also: isStatement,
    why: noun,
    write: 'begin with "Checks whether …" for a function, with "True if …" for a value',
  },
  {
    name: 'doc-when',
    find: /^When (?!`|(?:true|false|set|unset|defined|undefined|provided|enabled|used|present|absent)\b)[^.,:;]{0,40}/,
    kinds: ['doc'],
    of: 'passage',
    also: (sentence) => isStatement(sentence) && !hasMainClause(sentence),
    why: noun,
    write: 'begin with a noun ("The time at which …") or add a main clause ("When …, …")',
  },
  {
    name: 'doc-preposition',
    find: /^(?:Of|By|To|For|From|In|On|Under|Behind|Through|Against|Towards) (?:which|whom|whose|what|who|it|them)\b[^.,:;]{0,30}|^By (?!default\b|design\b)[^,]{0,80}$|^By [\w ]{1,20}:|^Of (?:the|an?|each|how|those|these|all|this)\b[^.,:;]{0,30}/,
    kinds: ['doc'],
    of: 'passage',
    also: isStatement,
    why: subject,
    write: 'begin with the noun that is meant ("The method by which …")',
  },
  {
    name: 'doc-pronoun',
    find: /^(?:Those|That of|The ones?|The others(?= of| that| which|[.,:;]|$)|Another one|They|Theirs?|One (?:that|which|who)|The same (?:for|of|where|by|with|in|at))\b[^.,:;]{0,30}/,
    kinds: ['doc'],
    of: 'passage',
    also: isStatement,
    why: 'the pronoun points to nothing',
    write: 'begin with the noun that is meant ("The email links that …")',
  },
  {
    name: 'comment-start',
    find: /^(?:Which|Why|Where)\b[^.,:;]{0,40}/,
    kinds: ['comment'],
    of: 'passage',
    also: (sentence) => isStatement(sentence) && !hasMainClause(sentence) && !depends.test(sentence),
    why: noun,
    write: 'a sentence with a subject and a verb, or a noun ("The …")',
  },
  {
    name: 'clause-start',
    find: /^(?:Who|Whose|Whom)\b[^.,:;]{0,40}/,
    kinds: ['doc', 'tag', 'comment', 'message', 'prose'],
    also: isStatement,
    why: noun,
    write: 'name the subject ("Users who …", "Clients that …")',
  },
  {
    name: 'clause-start',
    find: /^What\b(?! follows\b| to\b|’s\b|'s\b| if\b)[^.,:;]{0,40}/,
    kinds: ['doc', 'tag', 'comment'],
    also: isNounClause,
    why: noun,
    write: 'name the subject ("The value that …", "Requests that …")',
  },
  {
    // Items of lists and cells of tables may be titles, such as "What it stores".
    name: 'clause-start',
    find: /^What\b(?! follows\b|’s\b|'s\b| if\b)[^.,:;]{0,40}(?=.*[.;])/,
    kinds: ['message', 'prose', 'cell'],
    also: isNounClause,
    why: noun,
    write: 'name the subject ("The value that …", "Requests that …")',
  },
  {
    name: 'clause-start',
    find: /^That (?:it|they|there|the|an?|no|what|who|somebody|nobody|we)\b(?! way\b)[^.,:;]{0,40}/,
    kinds: written,
    also: isStatement,
    why: noun,
    write: 'begin with the subject, or "The fact that …"',
  },
  {
    name: 'title-start',
    find: /^(?:what|who|whose|whom)\b(?! if\b)[^.,:;]{0,40}/,
    kinds: ['title'],
    also: isStatement,
    why: noun,
    write: 'name the subject ("a token that …", "users who …")',
  },
  {
    name: 'whoever',
    find: /\bwho(?:m|so)?ever\b(?! (?:the|it|they|you)\b)/i,
    why: subject,
    write: '"anyone who …", or better the actor: "the client that …"',
  },
  {
    name: 'whatever',
    find: /^Whatever\b[^.,:;]{0,40}/i,
    also: (sentence) => isStatement(sentence) && !hasMainClause(sentence),
    why: noun,
    write: '"Any value that …", "Everything that …"',
  },
  {
    name: 'so-is',
    find: /^So (?:is|are|do|does|did|has|have|can|was|were|must|may|will) (?!not\b)/,
    why: order,
    write: '"… too", "The same holds for …"',
  },
  {
    name: 'else',
    // "Returns the cached value, else `null`" and "someone else" are plain English.
    find: /^Else\b|[:;] else\b|(?<!\b(?:or|if|whatever|whoever|who|what|where|how|why|little|much|all|one|ones?’s|no one|someone|anyone|everyone|nowhere|(?:some|any|every|no)(?:body|thing|where|one)|which|whose|then|and|an|the|with) )(?<![`'"“/-])\belse(?=[.;:)]|, |$)/i,
    why: order,
    write: '"otherwise"',
  },
  {
    name: 'by-itself',
    find: /^(?:By itself|Of itself|Of it|Of them|By it|To it)\b(?! is\b| all\b)/,
    why: order,
    write: 'begin with the subject',
  },
  { name: 'ours', find: /^(?:Ours|Theirs|Yours|Hers)\b/, why: subject, write: 'name the thing: "Our adapters: …"' },
  {
    name: 'of-yours',
    find: /\b[\w-]+ of (?:ours|yours|theirs|hers)\b/,
    why: order,
    write: '"our …", "your …", "their …"',
  },
  {
    name: 'not-start',
    find: /^Not (?:after|before|from|through|by|at|while|without|where|its|their|his|here|there)\b(?! (?:now|long|all)\b)[^.,:;]{0,30}/,
    kinds: ['doc', 'comment', 'message', 'prose'],
    why: subject,
    write: '"It is not …", "Not available …"',
  },
  {
    name: 'but-where',
    find: /\b(?:never|nothing|nobody|none|not|no \w+)(?: \w+)? but (?:where|what|who|whose|whom|when)\b|\b(?:not|never|nowhere)\b[^.;:]* but where\b/i,
    why: order,
    write: 'say it positively once, then the exception: "only if …", "except when …"',
  },
  {
    name: 'aphorism',
    find: /: (?=[a-zN])(?=(?:[\w’]+ ){0,1}(?:nobody|nothing|none)\b(?! *[,)|/]| *$))[^.:;]{0,60}/i,
    kinds: written,
    also: (sentence, { index, 0: found }) => countWords(sentence.slice(0, index)) > 2 && countWords(found) > 3,
    why: riddle,
    write: 'a sentence that names the actor and the consequence ("…, because the server cannot …")',
  },
  {
    name: 'nobody',
    find: /\bnobody(?:[’']s)?\b/i,
    why: subject,
    write: 'the actor: "no user", "no client", "no other process"; otherwise "no one"',
  },
  {
    name: 'somebody',
    find: /\b(?:some|any|every)body(?:[’']s)?\b/i,
    why: subject,
    write:
      'the actor: "another user", "any client", "all users", "the attacker"; otherwise "someone", "anyone", "everyone"',
  },
  { name: 'again', find: /\bonce more\b|\banew\b/i, why: term, write: '"again"' },
  {
    name: 'wish',
    find: /\b(?:an?|the|this|such a|whose|each|its|no) wish(?:es)?\b/i,
    why: term,
    write: '"requirements", "options"',
  },
  {
    // "An empty entry counts as one element" is plain English.
    name: 'counts-as',
    find: /\bcounts? as (?:an? |the |its |their |no |not )?(?:fail|prov|verif|new\b|used|sign|none|recent|factor|guess|attempt|session|device|user|param|mistake|second|later|password|passkey|known|unknown|expired|ended|not\b)\w*/i,
    why: term,
    write: '"is treated as"',
  },
  {
    name: 'goes-by',
    find: /\b(?:go|goes|went|going) by (?!default|the name|name\b)/i,
    why: term,
    write: '"is based on", "uses"',
  },
  {
    name: 'goes-on',
    find: /\b(?:goes|go|went) on\b(?! (?:to|with|the|a|behind|under|sale)\b)/i,
    why: term,
    write: '"continues"',
  },
  {
    name: 'stands',
    find: /\b(?:stands?|stood|standing) (?:in\b(?! for| the way|["”'])|on\b(?! top)|at\b|there\b|behind\b|beside\b|where\b|last\b|first\b|elsewhere\b|alone in\b|(?<!`x` stands )for (?!["'“`A-Z*]))/,
    why: term,
    write: '"is", "is listed in", "represents"',
  },
  { name: 'lies', find: /\blies (?:there|below|above|beside|open)\b/, why: term, write: '"is"' },
  {
    name: 'custom-page',
    find: /\b(?:an|own) own (?:[\w-]+ )?pages?\b|\bpages? of (?:your|their) own\b(?! (?:site|application|app|server)\b)/i,
    why: term,
    write: '"custom page"',
  },
  {
    name: 'checkbox',
    find: /\bto tick\b|\btick(?:s|ed|ing)? (?:it|the|an?|this|that)\b|\bticked\b/i,
    why: term,
    write: '"to check", "checkbox"',
  },
  {
    name: 'checkbox',
    find: /(?<!\b(?:of|inside|in|around) )\b(?:a|the) box\b(?! (?:model|plot|size)\b)/i,
    kinds: ['doc', 'tag', 'comment', 'title', 'prose', 'cell'],
    also: (sentence) => /\b(?:tick|check|form|page|kept|input|sign)/i.test(sentence),
    why: term,
    write: '"checkbox"',
  },
  { name: 'programs', find: /\b(?:for|to|of|by) programs\b/i, why: term, write: '"API clients"' },
  {
    name: 'pending',
    find: /\b(?:sign-ins?|sign-ups?|accounts?|addresses|address|links?|hash(?:es)?|attempts?|factors?|users?|changes?|registrations?) (?:that|which) waits?\b/i,
    why: term,
    write: '"pending"',
  },
  {
    name: 'let-in',
    find: /\b(?:is|are|be|was|were|been|being) let (?:in|through)\b|\b(?:lets?|letting) in\b|\b(?:lets?|letting) (?:(?:no|some|any|every)(?:body|one)|users?|people|them|him|her|us|keys|an? \w+) in(?=[.,;:)]|$| by\b| with| as\b| who\b| at\b| again\b)|\b(?:lets?|letting) (?:(?:no|some|any|every)(?:body|one)|users?|people|them|him|her|us) through\b/i,
    why: term,
    write: '"is allowed", "is authenticated", "can sign in"',
  },
  {
    name: 'turned-away',
    find: /\b(?:turned|turns?|turning) (?:[\w’]+ )?away\b/i,
    why: term,
    write: '"is rejected (with status …)"',
  },
  {
    name: 'gets-in',
    find: /\b(?:gets?|got|getting) in(?=[.,;:)]|$| by\b| with\b| without\b| through\b)/i,
    why: term,
    write: '"is authenticated", "can sign in"',
  },
  {
    name: 'way-in',
    find: /\bways? in(?=[.,;:)]|$| by\b| for\b| and\b| or\b| of\b| that\b| is\b| are\b| with\b| without\b| at\b)|\bways? (?:to|of) sign(?:ing)?[ -]in\b/i,
    why: term,
    write: '"sign-in method"',
  },
  {
    name: 'mailed',
    find: /\bmailed (?:[\w-]+ )?(?:links?|codes?|tokens?)\b/i,
    why: term,
    write: '"email link", "email code"',
  },
  {
    name: 'people',
    // "A person at an unlocked screen" and "two users for one person" are not users.
    kinds: [...written, 'title'],
    find: /\bpeople\b|\b(?:the|that|this|each|every|which|same|signed-in|new) persons?(?:[’']s)?\b|\ba person(?:[’']s|(?= (?:is|has|was|had|can|may|must|wants|goes|signs|chooses|sees|adds|gets)\b))/i,
    also: (sentence) => !inGeneral.test(sentence),
    why: term,
    write: '"users", "the user", "the signed-in user"; "visitor" if not signed in',
  },
  {
    name: 'told',
    find: /\b(?:is|are|was|were|be|been|being) told\b(?! (?:to|that|apart|by the user)\b)|\b(?:tells?|told|telling) (?:of|nobody|somebody|nothing)\b|\b(?:tells?|told|telling) (?:the )?(?:audit|events?(?! (?:loop|dispatcher))|logs?|loggers?|listeners?)\b|\btold (?:at|where|there|to (?:audit|events?|the log))\b|(?<!\b(?:can|could|may|might|will|would|to|not|I|you|we|they|please) )\btells?(?=[.;:,]|$)|\b(?:provider|endpoint|server) told\b/i,
    why: term,
    write: '"is called", "emits", "reports", "receives", "returns"',
  },
  {
    name: 'asked',
    find: /\b(?:store|adapter|callback|database|limiter|counter|function|method)s? (?:is|are|was|were) asked\b|\bask(?:s|ed|ing)? (?:the |an? |your |its )?(?:stores?|adapters?|callbacks?|limiters?|counters?)\b/i,
    why: term,
    write: '"is called", "is queried"',
  },
  {
    name: 'proved',
    find: /\b(?:un)?(?:proved|proven|claimed) (?:e-?mail )?address(?:es)?\b|\baddress(?:es)? (?:that )?(?:is|are|was|were|has been) (?:not |never )?(?:proved|proven)\b/i,
    why: term,
    write: '"verified email address", "unverified email address"',
  },
  { name: 'in-the-place', find: /\bin the place of\b/i, why: order, write: '"instead of"' },
].map((rule) => ({ ...rule, find: new RegExp(rule.find, `${rule.find.flags}g`) }))

/** Words for users of a site, who read the texts of pages, need not be the terms of developers. */
const forDevelopers = new Set(['people', 'nobody', 'somebody', 'counts-as', 'told', 'way-in'])

/**
 * @typedef {object} Report
 * @property {number} line
 * @property {string} rule
 * @property {string} phrase
 * @property {string} why
 * @property {string} write
 */

/**
 * Tries all rules on passages.
 * @param {readonly import('./words-source.mjs').Passage[]} passages
 * @param {{ forUsers?: boolean }} [options] `forUsers`: messages are texts of the built-in pages. Default: false.
 * @returns {Report[]}
 */
export function reportsOn(passages, { forUsers = false } = {}) {
  return passages.flatMap((passage) => {
    const isForUsers = forUsers && passage.kind === 'message'
    const rulesOfKind = rulesFor(passage.kind).filter(({ name }) => !(isForUsers && forDevelopers.has(name)))
    return sentencesOf(passage.text).flatMap((sentence, at) => {
      const tried = at === 0 ? rulesOfKind : rulesOfKind.filter(({ of }) => of !== 'passage')
      return reportsOnSentence(tried, passage, sentence)
    })
  })
}

const byKind = new Map()

function rulesFor(kind) {
  if (!byKind.has(kind))
    byKind.set(
      kind,
      rules.filter(({ kinds }) => kinds?.includes(kind) ?? true),
    )
  return byKind.get(kind)
}

function reportsOnSentence(tried, passage, sentence) {
  const found = tried.flatMap((rule) => findingsOf(rule, sentence.text))
  const long = passage.kind === 'prose' ? lengthReports(sentence.text) : []
  if (found.length + long.length === 0) return []
  const line = passage.line + breaksIn(passage.text.slice(0, sentence.at))
  // Two rules may find the same phrase. The first one is reported.
  const offsets = found.map(({ offset }) => offset)
  return found
    .filter(({ offset }, at) => offsets.indexOf(offset) === at)
    .map(({ offset, ...report }) => ({ line: line + breaksIn(rawStart(sentence.raw, offset)), ...report }))
    .concat(long.map((report) => ({ line, ...report })))
}

function findingsOf({ name, find, also, why, write }, sentence) {
  const findings = []
  find.lastIndex = 0
  for (let found = find.exec(sentence); found; found = find.exec(sentence)) {
    const phrase = found[0].replace(/^: /, '').trim()
    if (!also || also(sentence, found)) findings.push({ offset: found.index, rule: name, phrase, why, write })
  }
  return findings
}

function lengthReports(sentence) {
  // A word has two characters or more, with the space behind it.
  const words = sentence.length > 2 * longestSentence ? countWords(sentence) : 0
  if (words <= longestSentence) return []
  const phrase = `${sentence.slice(0, 40)}…`
  const write = 'several sentences of at most 25 words'
  return [{ rule: 'long', phrase, why: `a sentence of ${words} words`, write }]
}

const breaksIn = (text) => text.split('\n').length - 1

/** Returns the part of a text before an offset, where the offset is that of the same text with single spaces. */
function rawStart(raw, offset) {
  if (!raw.includes('\n')) return ''
  let at = 0
  for (let seen = 0; seen < offset && at < raw.length; seen++) {
    if (/\s/.test(raw[at])) while (/\s/.test(raw[at + 1] ?? '')) at++
    at++
  }
  return raw.slice(0, at)
}

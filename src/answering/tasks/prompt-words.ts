/** Words by which the sentences of a prompt are told apart: what asks, what tells how the answer is to be, what wants a general look. */
export const POLITE =
  /^(?:(?:please|kindly|now|then|next|also|first(?:ly)?|second(?:ly)?|third(?:ly)?|finally|lastly|in addition|additionally|furthermore|afterwards|hi|hello|hey|dear (?:assistant|analyst|team)|thanks|thank you)\b[,:]?\s*|(?:can|could|would|will) you (?:please )?|i(?:'d| would)? (?:like|want|need)(?: you)? to (?:know|see|learn|find out|understand)\s*(?:if|whether)?\s*|(?:let me|let us) (?:know|see)\s*|i(?:'d| would)? (?:like|want|need)(?: you)? to\s+)/i;
export const ASKING =
  /^(?:how|what|what's|whats|which|when|where|who|whose|why|is|are|was|were|does|do|did|has|have|had|show|list|give|tell|find|calculate|compute|determine|identify|count|sum|plot|chart|draw|graph|compare|rank|get|display|visuali[sz]e)\b/i;
export const FIGURES =
  /\b(?:averages?|avg|mean|median|totals?|sum|counts?|number of|how (?:many|much)|minimum|maximum|min|max|highest|lowest|top|bottom|largest|smallest|most (?:common|frequent)|trends?|over time|per|by|each|distribution|share|percentage|standard deviation|outliers?|monthly|daily|weekly|yearly|hourly|hottest|coldest|wettest|busiest)\b/i;
export const TELLING =
  /^(?:write|use|using|format|keep|make|answer|respond|reply|include|exclude|avoid|do not|don't|dont|never|always|focus|structure|present|provide|be|limit|start|begin|end|add|put|highlight|explain|translate|send|email|mail|save|create|prepare|produce|draft|ensure|round|mention|describe|interpret|note|remember|consider|assume|pretend|ignore|output|return|deliver|comment|conclude|recommend|suggest)\b/i;
export const FORM =
  /\b(?:reports?|summar(?:y|ies)|e-?mails?|texts?|paragraphs?|sentences?|words?|languages?|english|german|french|spanish|italian|style|tone|bullets?|bullet points|tables?|markdown|headings?|sections?|pages?|format|decimals?|short|brief|concise|detailed|answers?|charts?|graphs?|recommendations?|conclusions?|managers?|board|audience|readers?)\b/i;
export const OVERVIEW =
  /\b(?:analy[sz]e|analysis|overview|summari[sz]e|summary|explore|insights?|(?:key|main|important|interesting) (?:findings|facts|figures|points|numbers)|what stands out|anything (?:unusual|interesting|noteworthy)|investigate|(?:review|examine|assess|profile|describe|inspect) (?:the |this |my |our |all )?(?:data|dataset|datasource|table|file|numbers|figures)s?|tell me about (?:the |this |my |our )?(?:data|dataset|datasource|table|file)s?|report (?:on|about)|what can you (?:say|tell)|health check)\b/i;
export const COMPARISON =
  /\b(?:compare|comparison|comparing|versus|vs|against each other|side by side|differences? between|differ)\b/i;
export const ALL_OF_THEM =
  /^compare (?:the )?(?:two|three|four|both|them|these|those|all|datasources|datasets|data sources|tables|sources|files|results|figures|findings)(?: of them)?(?: (?:two|three|four|datasources|datasets|data sources|tables|sources|files|results|figures|findings))?(?: (?:with|to|against) (?:each other|one another))?$/i;
export const BREVITY = /\b(?:short|brief|briefly|concise|in one sentence|in a sentence|just the numbers?|tl;?dr)\b/i;
export const LEADING =
  /^(?:answer|look at|address|cover|work on|consider)?\s*(?:the |these )?(?:following)?\s*(?:questions?|points?|topics?|things?|items?|following)\s*:?$/i;
export const BACK_WORDS = /\b(?:it|they|them|that|those|these|its|their)\b/i;
export const BACK_START = /^(?:and|or|what about|how about|same|the same|only|instead)\b/i;

//! The lists of small words by which a sentence is understood.

use std::sync::LazyLock;

use crate::drill::NEGATORS;
use crate::phrase::Marks;

/// The lists of small words, each with a bit of a token's marks.
pub(super) static SMALL_WORDS: LazyLock<Marks> = LazyLock::new(|| {
    Marks::of_texts(&[
        CONJUNCTIONS,
        GLUE,
        NEGATORS,
        TURNING,
        MARKING,
        HEADS,
        PREDICATES,
        MORE,
        LESS,
        CONDITIONS,
        FOREIGN,
        TAKING,
        LOOSE,
        TIMES,
        POWERS,
        ARROWS,
    ])
});
pub(super) const CONJUNCTION: u64 = 1;
/// German, French and Spanish sentences are made of other small words.
pub(super) const GLUES: u64 = 2 | FOREIGNS;
pub(super) const NEGATOR: u64 = 4;
pub(super) const TURNS: u64 = 8;
pub(super) const MARKS: u64 = 16;
pub(super) const HEAD: u64 = 32;
pub(super) const PREDICATE: u64 = 64;
pub(super) const UP: u64 = 128;
pub(super) const DOWN: u64 = 256;
pub(super) const CONDITION: u64 = 512;
pub(super) const FOREIGNS: u64 = 1 << 10;
pub(super) const TAKES: u64 = 1 << 11;
pub(super) const LOOSELY: u64 = 1 << 12;
pub(super) const FACTOR: u64 = 1 << 13;
pub(super) const POWER: u64 = 1 << 14;
pub(super) const ARROW: u64 = 1 << 15;

/// What a token is by itself, in the same set as the lists that it is in: a word, a number, with a comma or the like before it.
pub(super) const WORD: u64 = 1 << 61;
pub(super) const NUMBER: u64 = 1 << 62;
pub(super) const AFTER_BREAK: u64 = 1 << 63;

/// Words that change how what follows is meant.
const TURNING: &str = "\
    if unless suppose supposing assuming then although though despite albeit even say says said prints print claims calls call reports \
    thinks complains argue argues claim think believe expect assume contrary";

/// How many words a negation reaches.
pub(super) const NEGATION_REACH: usize = 8;

/// Words that start a clause.
const CONJUNCTIONS: &str = "\
    because but so since whereas while although though however hence thus yet unless if which weil aber denn sondern obwohl während \
    sodass deshalb wenn";

/// Who says what the student only reports.
pub(super) const REPORTERS: &[&str] = &["tool", "script", "label", "program", "calculator", "people", "one", "someone", "they", "who"];

/// `One might think` that which is not so.
pub(super) const SUPPOSERS: &[&str] = &["might", "would", "could", "may", "people", "many", "some"];

/// Words of which an answer to the question has no need.
const MARKING: &str = "\
    grader graders grading gradings graded rubric rubrics mark marks marking markings prompt prompts";

/// Common verbs and adjectives among [`GLUE`] that say something themselves, so that a list of catchwords may hold them.
const LOOSE: &str = "linear constant flat bound late grow grows keep keeps need needs pay pays set twice wait waits";

/// What makes a factor of the number before it.
const TIMES: &str = "x × times";

/// Signs that belong to the word before them.
const POWERS: &str = "* ^";

/// Signs that lead on to the next word.
const ARROWS: &str = "→ ⇒";

/// The small words that make sentences of words, and the commonest verbs.
const GLUE: &str = "\
    linear constant flat bound late a about above after again all already also although an and any are as at be because been before \
    below between both but by can cannot cant could did didnt do does doesnt doing done dont down during each either else enough even \
    every few fewer for from get gets give gives go goes going got grow grows had has have he hence here how however i id if im in \
    instead into is isnt it its ive just keep keeps less let like made make makes many may me means might more most much must my need \
    needs neither never no none nor not nothing now of off on once one only or other others our out over own pay pays per rather same \
    say set shall she should since so some still such take takes than that thats the their them then there theres these they this \
    those though through thus to too twice under unless until up us use used using very wait waits want was we well were what when \
    where whereas which while who why will with within without wont would wouldnt yes yet you youd your";

/// Words that make a sentence out of names: verbs, what stands for a subject, and what joins clauses. Without one of them a
/// run of words names things and says nothing of them.
const PREDICATES: &str = "\
    is are was were be been being am isnt arent wasnt has have had does do did doesnt dont didnt can cannot cant could will wont would \
    should must may might shall adds affects allows amortizes appear appears approaches arrives assume assumes \
    become becomes begin begins brings buys call calls cancels cares carries changes come comes consists costs counts covers crosses \
    decides decreases depend depends divide dominate dominates doubles drop drops eats ends equals exceed exceeds exist \
    exists falls fill fills finds finish finishes fits fit follow follows gains gathers get gets give gives go goes going got grew \
    grow grows halves happen happens helps hides hid hurts ignores improves increases keep keeps kills knows lasts lets leave leaves \
    lies limits live lives lose loses made make makes matters mean means moves moved need needs obtain occurs outweighs overlaps paid \
    pay pays prefer prints put raises reach reaches reads receives reduces remain remains repeat repeats requires rise rises \
    runs saturates save saves say says scales see seems sees send sends sent serves set sets shrinks sits spend spends splits stands \
    start starts stay stays sticks stop stops suffers suppose takes take talks tells think thinks throw trains treats uses visits \
    waits wait want wants weighs win wins work works multiply went took stop raise reckon suspect guess bet mix split swamps varies \
    vanishes double bound limited dominated needed required taken i it its we you they he this that there \
    these those who which what because since so if when while unless although though but whereas therefore hence thus than as until \
    once im id ive youd weve theyre thats theres otherwise yes no not nothing nobody neither never none due without < > = ≤ ≥ ≪ ≫ → ⇒ \
    ≈ ∝ + ist sind war wird werden hat haben kann können muss müssen soll würde bleibt wächst steigt sinkt passt kostet dauert braucht \
    verdoppelt weil da denn wenn dass sondern aber es ich wir man sie nicht kein keine als ja nein \
    dominiert überwiegt bestimmt entscheidet begrenzt passen verdeckt versteckt verschwindet verschwinden brauchen zahlt zahlen kostet \
    kosten fängt beginnt startet wartet warten steht stehen bringt bringen macht machen liegt liegen gilt geht gehen nimmt addiert \
    läuft laufen reicht reichen hängt wäre würde wären würden müsste sollte sollten konvergiert verändert ändert spart sparen sagt \
    stimme stimmt halte finde spielt ergibt ergeben belegt verliert gehört bildet teilen verbrennt verbrennen skaliert nähert \
    accumulates adjust appeared arises arrive balances beats begun blocks busy charges chosen collects converges covered creeps delays \
    deserves dictates drains drives dwarfs earns empties enters escapes expect explodes expire extends fails feels fed flips forces \
    forms governs hangs hinges hits holds idle idles includes interferes leads loads manage merges needed occupies outlasts outlives \
    passes peeks persists pokes prevents produces prolongs proves rests scatters serializes shows shrunk sinks speeds spreads sticks \
    stalls starves stagnates sums swallows tops travels turns unlikely wastes worsens worries holds changed lost spent given";

/// There is more of it, or it is larger.
const MORE: &str = "\
    more larger bigger higher longer greater grow grows growing grew grown increase increases increased increasing rise rises rising \
    raise raises gain gains extra additional doubles multiplies improves mehr größer höher länger wächst steigt erhöht";

/// There is less of it, or it is smaller.
const LESS: &str = "\
    less smaller fewer shorter lower shrink shrinks shrinking reduce reduces reduced reducing decrease decreases decreased decreasing \
    drop drops fall falls lose loses losing lost cut cuts save saves avoid avoids kill kills halves lowers little hurts hurt ruins \
    destroys suffers limits weniger kleiner kürzer geringer sinkt fällt schrumpft verringert reduziert";

/// The words and signs that may be a relation, all those of `compare` together: most words are none.
const HEADS: &str = "\
    < ≤ ≪ > ≥ ≫ than als exceed exceeds exceeding exceeded fit surpass surpasses übersteigt uebersteigt überschreitet übertrifft fits \
    fitting squeeze squeezes passt passen hide hides hidden hiding disappear disappears vanish vanishes versteckt verstecken verbirgt \
    verborgen verschwindet verschwinden cover covers swallow swallows mask masks absorb absorbs covered swallowed masked absorbed \
    verdeckt below under within inside unter above beyond über";

/// What limits a verdict, so that another one may stand beside it.
const CONDITIONS: &str = "\
    if unless when only partly partially depends depend depending otherwise case cases without assuming provided although though \
    but however while whereas until once would reason wenn nur sofern solange aber ohne teilweise";

/// Small words of languages in which the phrases of a rubric find little: German, French, Spanish.
const FOREIGN: &str = "\
    der die das und ist nicht ein eine einen einem mit für von zu zum zur im den dem des auf wird werden sind bei als auch nur wie es \
    weil denn dass man wir ich nach aus um oder gegen kein keine über unter hat haben kann le la les est une dans pour que qui pas avec sur \
    par el los las una por con para del más se sich aber dann wenn ob noch schon muss müssen pro je beim durch dort hier sehr mehr \
    weniger diese dieser dieses diesen vor sonst deshalb daher ja nein sie er zwar dafür damit dazu denen deren dessen ihre seine jeder \
    jede jedes alle allen vom am ins bis ohne zwischen statt während wurde waren nichts etwas würde soll";

/// Of the words for more and less, those that say it of what comes after them: `the batch kills it` makes no batch smaller.
const TAKING: &str = "\
    reduce reduces reducing lose loses losing cut cuts save saves avoid avoids kill kills hurt hurts ruins destroys limits lowers raise \
    raises gain gains improves suffers little verringert reduziert erhöht";

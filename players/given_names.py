"""Lists of common given names, to tell a relative's name from a misspelt name.

Mario and Marta differ from María by one letter, so spelling alone cannot distinguish a relative's name from a
typing error. Two kinds of names are left out of the lists on purpose:

- short forms that are the beginning of a name ("Fran", "Rafa", "Tere", "Marc"), because they count as
  abbreviations;
- names of another language that differ from the Spanish name by one letter ("Josep", "Vicent").
"""

from collections.abc import Sequence

from ui.text import fold

WOMEN = """
    Abigail Adela Adelaida Adelina Adoración Adriana África Ágata Agnes Águeda Agustina Aina Ainara Ainhoa
    Aitana Alba Alegría Alejandra Alexandra Alexia Alice Alicia Alison Alma Almudena Amaia Amalia Amanda
    Amaya Amelia Amparo Ana Anabel Anastasia Andrea Ane Ángela Ángeles Angélica Angelina Angustias Aniceta
    Anita Ann Anne Annette Antonella Antonia Anunciación Araceli Arancha Arantza Aránzazu Ariadna Asunción
    Aurelia Aurora Azucena Balbina Bárbara Basilisa Beatriz Begoña Belén Benita Berenice Bernarda Bernardina
    Berta Betty Bianca Blanca Bonifacia Brenda Brenna Brígida Brigitte Camila Candela Candelaria Cándida
    Caridad Carina Carla Carlota Carmela Carmen Carol Carolina Caroline Casilda Casta Catalina Catherine
    Cayetana Cecilia Celeste Celia Celina Charlotte Christine Clara Claudia Clementina Clotilde Concepción
    Concha Consolación Constanza Consuelo Cordelia Corina Coro Covadonga Cristina Custodia Dalia Daniela
    Débora Delfina Delia Diana Dina Dolores Dominga Dora Doris Dorotea Dorothy Dulce Edith Edurne Elena
    Eleonora Elisa Elisabet Elizabeth Eloísa Elsa Elvira Emilia Emiliana Emma Encarnación Enriqueta Erica
    Ernestina Esmeralda Esperanza Estefanía Estela Ester Estrella Eufemia Eugenia Eulalia Eva Evangelina
    Evelyn Fabiola Fátima Felicia Felicidad Felipa Felisa Fernanda Fidela Filomena Fiona Flor Flora
    Florencia Florentina Fortunata Francisca Frida Fuensanta Gabriela Gala Gema Genoveva Georgina Gertrudis
    Gisela Gladys Gloria Grace Gracia Graciela Gregoria Greta Guadalupe Guillermina Haydée Heather Helga
    Hermelinda Hermenegilda Herminia Hilaria Hilda Honorina Hortensia Ida Idoia Ignacia Iluminada Imelda
    Inés Inga Ingrid Inmaculada Irene Iria Irina Iris Irma Isabel Isabela Isaura Isidora Itziar Ivonne
    Jacinta Jaione Jane Janet Jennifer Jenny Jessica Jesusa Jimena Joana Joanna Joaquina Josefa Josefina
    Josune Jovita Joyce Juana Juanita Judith Julia Juliana Julieta June Justa Justina Karen Karin Kate
    Katherine Kathleen Laia Lara Larisa Laura Laurentina Leandra Leire Leocadia Leonor Leticia Lía Lidia
    Ligia Lilia Liliana Linda Lola Lorena Lorenza Lourdes Lucía Luciana Lucila Lucrecia Ludivina Luisa Luz
    Macarena Mafalda Magdalena Maitane Maite Malena Manuela Maravillas Marcela Marcelina Margaret Margarita
    Margot María Mariana Maribel Marina Mariola Marisa Marisol Marlene Marta Martina Mary Matilde Maureen
    Máxima Maximina Melania Melisa Mercedes Micaela Michelle Milagros Milagrosa Mildred Mina Minerva Míriam
    Mirta Modesta Mónica Montserrat Nadia Naiara Narcisa Natalia Natividad Nekane Nélida Nerea Nicolasa
    Nicole Nieves Nina Noelia Noemí Nora Norma Nuria Obdulia Ofelia Oihane Olalla Olatz Olga Olimpia Olivia
    Ona Orosia Paloma Pamela Paola Pastora Patricia Patrocinio Paula Paulina Paz Penélope Perpetua Petra
    Petronila Pía Piedad Pilar Priscila Prudencia Pura Purificación Queralt Quintina Rafaela Raimunda Ramona
    Raquel Rebeca Regina Reina Remedios Renata Reyes Ricarda Rita Roberta Rocío Romina Rosa Rosalía Rosalina
    Rosana Rosario Rosaura Rose Roser Rosina Rosita Roxana Rufina Ruth Sabina Sagrario Salomé Samanta Sandra
    Sara Saturnina Sebastiana Segunda Serafina Severina Sharon Sheila Silvana Silvia Simona Socorro Sofía
    Soledad Sonia Sonsoles Stella Susana Tamara Tania Tatiana Tecla Telma Teodora Teresa Tomasa Trinidad
    Úrsula Valentina Valeria Vanesa Vega Vera Verena Verónica Vicenta Victoria Violeta Virginia Virtudes
    Visitación Viviana Wanda Ximena Yaiza Yasmina Yesica Yolanda Zaida Zaira Zoe Zulema Zuriñe
"""

MEN = """
    Aarón Abel Abelardo Abraham Abundio Adalberto Adam Adán Adolfo Adrián Adriano Agapito Agustín Aitor
    Alain Alan Alberto Alejandro Alejo Alex Alexander Alexandre Alexis Alfonso Alfred Alfredo Alonso Álvaro
    Amadeo Amador Amancio Ambrosio Anastasio Ander Andoni Andrea Andreas Andrés Andreu Andrew Ángel Aniceto
    Aniol Anselmo Antonio Apolinar Aquilino Aridane Aritz Armando Arnau Arsenio Artur Arturo Asier Atilano
    Augusto Aureliano Aurelio Avelino Balbino Baldomero Baltasar Bartolomé Basilio Bautista Benedicto
    Benigno Benito Benjamín Bernabé Bernardino Bernardo Bernat Biel Blai Blas Bonifacio Borja Braulio Brian
    Bruce Bruno Buenaventura Calixto Camilo Cándido Carlos Carmelo Casimiro Cayetano Cecilio Ceferino
    Celestino Celso César Charles Christian Christopher Cipriano Ciriaco Cirilo Claudio Clemente Colin
    Conrado Constantino Cornelio Cosme Crispín Cristian Cristóbal Cruz Dámaso Damián Daniel Darío David
    Delfín Demetrio Denis Desiderio Diego Dimas Dionisio Domènec Domingo Donato Douglas Edgar Edmundo Eduard
    Eduardo Edward Efraín Egoitz Eladio Eleuterio Elías Elio Eliseo Eloy Emeterio Emiliano Emilio Eneko
    Enric Enrique Epifanio Eric Ernest Ernesto Estanislao Esteban Eugenio Eulogio Eusebio Eustaquio Evaristo
    Ezequiel Fabián Fabio Fabricio Facundo Fausto Federico Feliciano Felipe Félix Fermín Fernando Ferran
    Fidel Filiberto Flavio Florencio Florentino Florián Fortunato Francesc Francisco Franco Frank Franz Fred
    Froilán Fructuoso Fulgencio Gabino Gabriel Galo Garikoitz Gaspar Gastón Genaro Geoffrey George Gerard
    Gerardo Germán Gil Gilberto Ginés Giuseppe Gonzalo Gorka Graham Gregorio Gregory Guifré Guillem
    Guillermo Gumersindo Gustavo Hans Haritz Harold Harry Héctor Helmut Henry Heriberto Hermenegildo
    Herminio Hernán Higinio Hilario Hipólito Homero Honorato Honorio Horacio Howard Hugo Humberto Ian Ibai
    Ibon Ignacio Igor Iker Ildefonso Imanol Indalecio Inocencio Iñaki Iñigo Isaac Isaías Isidoro Isidro
    Ismael Iván Ivo Jacinto Jack Jacob Jacobo Jacques Jaime James Jaume Javier Jean Jenaro Jeremías Jerónimo
    Jesús Jim Joan Joaquín Joel John Jon Jonás Jonatan Jordi Jorge José Joseba Joseph Josu Josué Juan Juanjo
    Julián Julio Justino Justo Kenneth Kevin Klaus Koldo Ladislao Lamberto Lázaro Leandro Lee Leo Leonardo
    Leoncio Leopoldo Liborio Lino Lluc Lope Lorenzo Luca Lucas Luciano Lucio Luis Macario Magín Manfredo
    Manolo Manuel Marcel Marceliano Marcelino Marcelo Marcial Marco Marcos Mariano Marino Mario Mark Martín
    Mateo Mateu Matías Mauricio Mauro Max Maximiliano Maximino Máximo Melchor Melquíades Michael Michel
    Miguel Mikel Millán Miquel Modesto Mohamed Moisés Nacho Narciso Natalio Nazario Nemesio Néstor Nicanor
    Nicasio Nicola Nicolás Nicomedes Nigel Noé Norberto Octavio Odón Olegario Oliver Oriol Orlando Óscar
    Oswaldo Otto Ovidio Pablo Paco Pascual Pastor Patricio Patrick Pau Paul Paulino Paulo Pedro Pelayo Pepe
    Pere Peter Philip Pío Plácido Pol Policarpo Porfirio Práxedes Primitivo Primo Prudencio Quim Quintín
    Quique Rafael Raimundo Ramiro Ramón Raúl Raymond Regino Reinaldo Remigio René Ricardo Richard Rigoberto
    Robert Roberto Rodolfo Rodrigo Rogelio Roger Roland Rolando Román Romualdo Roque Rosendo Rubén Rufino
    Ruperto Sabino Salomón Salustiano Salvador Samuel Sancho Sandalio Santiago Santos Saturnino Saúl
    Sebastián Segismundo Segundo Serafín Serge Sergio Servando Severiano Severino Sigfrido Silverio
    Silvestre Silvio Simeón Simón Simplicio Sixto Stanley Stefan Stephen Steve Steven Sydney Tadeo Tancredo
    Telesforo Telmo Teodomiro Teodoro Teodosio Teófilo Terence Thomas Tiburcio Timoteo Tirso Tobías Tom
    Tomás Toribio Tristán Ulises Unai Urbano Uriel Urko Valentín Valeriano Valerio Venancio Ventura Vicente
    Víctor Victoriano Victorino Vidal Virgilio Viriato Vladimir Walter Wenceslao Werner Wilfredo William
    Wolfgang Xabier Xavier Yago Yeray Yves Zacarías Zenón Zoilo
"""

GIVEN_NAMES = frozenset(fold(f"{WOMEN} {MEN}").split())

# Given names that are surnames too: in "Lucía Martín Gómez", Martín is probably not a second given name.
ALSO_SURNAMES = frozenset(
    fold(
        """
        Alonso Andrés Arnau Bautista Benito Bernabé Bernardo Blanca Blas Borja Bruno Clemente Cruz Damián
        Delfín Domingo Esteban Felipe Fermín Fernando Flor Gabriel Gaspar Gil Ginés Gracia Hilario Jaime
        Jorge Juan Julián Lázaro Leo Lope Lorenzo Lucas Luis Manuel Marco Marcos Mariano Martín Mateo Matías
        Miguel Millán Miquel Nicolás Pascual Pastor Paz Pedro Rafael Ramón Reina Reyes Román Roque Rosa
        Salvador Sancho Santiago Santos Sebastián Segundo Simón Tomás Valentín Vega Ventura Vera Vicente
        Vidal
        """
    ).split()
)

# Short forms that are not the beginning of the name, with the names that they stand for.
SHORT_FORMS = """
    chari: Rosario
    charo: Rosario
    chelo: Consuelo
    chema: José María
    conchita: Concepción
    concha: Concepción
    curro: Francisco
    chus: Jesús,María Jesús
    fina: Josefina,Josefa
    geni: Eugenia
    goyo: Gregorio
    guille: Guillermo
    inma: Inmaculada
    isa: Isabel
    juanma: Juan Manuel
    juanjo: Juan José
    kiko: Francisco,Enrique
    kike: Enrique
    lola: Dolores
    loli: Dolores
    lolo: Manuel
    luisma: Luis Miguel,Luis María
    maite: María Teresa
    manolo: Manuel
    manolita: Manuela
    mariajo: María José
    maribel: María Isabel
    marichu: María Jesús
    mariluz: María Luz
    marisa: María Luisa
    marisol: María Soledad
    mayte: María Teresa
    merche: Mercedes
    moncho: Ramón
    nacho: Ignacio
    nando: Fernando
    nano: Fernando
    nina: Antonina
    paca: Francisca
    paco: Francisco
    pancho: Francisco
    patxi: Francisco
    pepa: Josefa
    pepe: José
    pepi: Josefa
    pili: Pilar
    puri: Purificación
    quico: Francisco,Enrique
    quique: Enrique
    quino: Joaquín
    quim: Joaquín
    rafa: Rafael
    sacri: Sacramento
    sole: Soledad
    suso: Jesús
    tere: Teresa,María Teresa
    teo: Teodoro,Mateo
    tito: Alberto,Ernesto
    toni: Antonio,Antonia
    tono: Antonio
    trini: Trinidad
    xisco: Francisco
    yoli: Yolanda
"""

NICKNAMES = {
    short: tuple(fold(name) for name in names.split(","))
    for short, names in (line.strip().split(": ") for line in SHORT_FORMS.strip().splitlines())
}


def written_out(words: Sequence[str]) -> list[str]:
    """Return the names that a name with a short form may stand for: "paco gil" -> ["francisco gil"].

    words: the words of the name, folded
    """
    return [
        " ".join([*words[:place], full, *words[place + 1 :]])
        for place, word in enumerate(words)
        for full in NICKNAMES.get(word, ())
    ]
